/*
 * Pieces of HTML that the parts of the page have in common.
 */
#include "cli/bench/page/pieces.h"

#include <string.h>

#include "cli/bench/results/number.h"
#include "cli/text/html.h"

static void put_text(bench_file *page, const char *text) {
    char room[HTML_ROOM];
    while (*text != '\0') {
        const char *character = html_escape(&text, room);
        bench_file_write(page, character, strlen(character));
    }
}

void page_put(bench_file *page, const char *html, const char *const texts[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(html, "$");
        bench_file_write(page, html, length);
        put_text(page, texts[i]);
        html += length + (html[length] == '$');
    }
    bench_file_write(page, html, strlen(html));
}

void page_begin_table(bench_file *page, const char *label) {
    PAGE_PUT(page,
             "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"$\">\n<table>\n",
             label);
}

void page_end_table(bench_file *page) {
    bench_file_add(page, "</tbody>\n</table>\n</div>\n");
}

void page_put_heading(bench_file *page, const char *heading, bool is_number) {
    bench_file_add(page, "<th scope=\"col\"%s>%s</th>", is_number ? " class=\"number\"" : "",
                   heading);
}

void page_put_number(bench_file *page, double number, int digits) {
    char text[BENCH_NUMBER_BYTES];
    bench_number_write(number, digits, text);
    PAGE_PUT(page, "<td class=\"number\">$</td>", text);
}

/* The number is the bar's text, so screen readers skip the bar. */
void page_put_share(bench_file *page, double share) {
    char text[BENCH_NUMBER_BYTES], length[BENCH_NUMBER_BYTES];
    const double hundredths = share > 0 ? share * 100 : 0;
    bench_number_write(share, 3, text);
    bench_number_write(hundredths < PAGE_BAR_END ? hundredths : PAGE_BAR_END, 1, length);
    bench_file_add(page,
                   "<td class=\"share\"><span>%s</span><svg viewBox=\"0 0 %d 12\""
                   " preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"%s\" "
                   "height=\"12\"/><path d=\"M100 0v12\"/></svg></td>",
                   text, PAGE_BAR_END, length);
}
