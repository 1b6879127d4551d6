/*
 * test_entry.c: the file format of the store. What was written is read; whatever else there is, cut
 * off, altered, of another key or made up, is refused, and nothing outside of it is looked at.
 */
#include "base/entry.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

Suite *suite_entry(void);

static const char key[] = "tally 0.1.0\nprogram fold_rows sum f32\n";

/* An entry in memory of exactly its size, for sanitizers to watch; to be freed. */
static unsigned char *make(const char *of, const char *payload, size_t *size) {
    *size = tally_entry_size(of, strlen(payload));
    unsigned char *bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    tally_entry_write(of, payload, strlen(payload), bytes);
    return bytes;
}

/* Read from memory that ends where the bytes do. */
static bool read_copy(const unsigned char *bytes, size_t size, const char *of) {
    tally_entry entry;
    unsigned char *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    bool read = tally_entry_read(copy, size, of, &entry);
    free(copy);
    return read;
}

START_TEST(what_is_written_is_read) {
    static const char *const payloads[] = {"", "x", "a payload\n with lines"};
    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        size_t size = 0;
        tally_entry entry;
        unsigned char *bytes = make(key, payloads[i], &size);
        ck_assert(tally_entry_read(bytes, size, key, &entry));
        ck_assert_uint_eq(entry.key_bytes, strlen(key));
        ck_assert_mem_eq(entry.key, key, strlen(key));
        ck_assert_uint_eq(entry.payload_bytes, strlen(payloads[i]));
        ck_assert_mem_eq(entry.payload, payloads[i], strlen(payloads[i]));
        ck_assert(tally_entry_read(bytes, size, NULL, &entry));
        free(bytes);
    }
}
END_TEST

/* The bytes are what the header says, on every machine. */
START_TEST(the_format_stays) {
    static const unsigned char head[] = {'T', 'A', 'L', 'L', 'Y', 'B', 'L', 'B', 1,  0,
                                         0,   0,   3,   0,   0,   0,   2,   0,   0,  0,
                                         0,   0,   0,   0,   'k', 'e', 'y', 'p', 'q'};
    char digits[TALLY_HASH_DIGITS + 1];
    size_t size = 0;
    unsigned char *bytes = make("key", "pq", &size);
    ck_assert_uint_eq(size, sizeof head + 16);
    ck_assert_mem_eq(bytes, head, sizeof head);
    tally_hash_print(tally_hash_of(head, sizeof head), digits);
    for (size_t i = 0; i < 16; i++) {
        char pair[3];
        snprintf(pair, sizeof pair, "%02x", bytes[sizeof head + i / 8 * 8 + 7 - i % 8]);
        ck_assert_mem_eq(pair, digits + 2 * i, 2);
    }
    free(bytes);
    /* xxHash's own number for nothing. */
    tally_hash_print(tally_hash_of("", 0), digits);
    ck_assert_str_eq(digits, "99aa06d3014798d86001c324468d497f");
}
END_TEST

START_TEST(another_key_is_refused) {
    static const char *const others[] = {"", "tally 0.1.0\nprogram fold_rows sum f32",
                                         "tally 0.1.0\nprogram fold_rows sum f32\n\n",
                                         "tally 0.1.1\nprogram fold_rows sum f32\n"};
    size_t size = 0;
    unsigned char *bytes = make(key, "payload", &size);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert(!read_copy(bytes, size, others[i]));
    ck_assert(read_copy(bytes, size, key));
    free(bytes);
}
END_TEST

START_TEST(what_is_cut_off_or_too_long_is_refused) {
    size_t size = 0;
    unsigned char *bytes = make(key, "a payload of some length", &size);
    unsigned char longer[512] = {0};
    for (size_t length = 0; length < size; length++)
        ck_assert(!read_copy(bytes, length, key));
    memcpy(longer, bytes, size);
    for (size_t more = 1; more <= 64; more++)
        ck_assert(!read_copy(longer, size + more, key));
    printf("%zu lengths refused\n", size + 64);
    free(bytes);
}
END_TEST

START_TEST(every_flipped_bit_is_seen) {
    size_t size = 0;
    unsigned char *bytes = make(key, "a payload of some length", &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        ck_assert(!read_copy(bytes, size, key));
        ck_assert(!read_copy(bytes, size, NULL));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ck_assert(read_copy(bytes, size, key));
    printf("%zu flipped bits seen\n", 8 * size);
    free(bytes);
}
END_TEST

/* Lengths that lie, with a checksum that does not: nothing is looked at beyond the end. */
START_TEST(lengths_that_lie_are_refused) {
    static const uint64_t lies[] = {
        0, 1, 25, 40, 65535, 65537, UINT32_MAX, UINT64_MAX, UINT64_MAX - 38, (uint64_t)1 << 40};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        for (size_t at = 8; at <= 16; at += 4) { /* version, key, payload */
            size_t size = 0;
            unsigned char *bytes = make(key, "payload", &size);
            for (size_t k = 0; k < (at == 16 ? 8u : 4u); k++)
                bytes[at + k] = (unsigned char)(lies[i] >> 8 * k);
            const tally_hash hash = tally_hash_of(bytes, size - 16);
            for (size_t k = 0; k < 8; k++) {
                bytes[size - 16 + k] = (unsigned char)(hash.high >> 8 * k);
                bytes[size - 8 + k] = (unsigned char)(hash.low >> 8 * k);
            }
            if (at != 8 || lies[i] != 1)
                ck_assert(!read_copy(bytes, size, key));
            free(bytes);
        }
}
END_TEST

START_TEST(a_key_that_is_too_long_has_no_entry) {
    char *longest = malloc(TALLY_ENTRY_KEY_MAX + 2);
    size_t size = 0;
    ck_assert_ptr_nonnull(longest);
    memset(longest, 'k', TALLY_ENTRY_KEY_MAX + 1);
    longest[TALLY_ENTRY_KEY_MAX + 1] = '\0';
    ck_assert_uint_eq(tally_entry_size(longest, 0), 0);
    longest[TALLY_ENTRY_KEY_MAX] = '\0';
    unsigned char *bytes = make(longest, "", &size);
    ck_assert(read_copy(bytes, size, longest));
    ck_assert_uint_eq(tally_entry_size("key", SIZE_MAX), 0);
    ck_assert_uint_eq(tally_entry_size("key", SIZE_MAX - 42), 0);
    free(bytes);
    free(longest);
}
END_TEST

Suite *suite_entry(void) {
    Suite *suite = suite_create("entry");
    TCase *tests = tcase_create("entry");
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, the_format_stays);
    tcase_add_test(tests, another_key_is_refused);
    tcase_add_test(tests, what_is_cut_off_or_too_long_is_refused);
    tcase_add_test(tests, every_flipped_bit_is_seen);
    tcase_add_test(tests, lengths_that_lie_are_refused);
    tcase_add_test(tests, a_key_that_is_too_long_has_no_entry);
    suite_add_tcase(suite, tests);
    return suite;
}
