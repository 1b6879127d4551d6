/*
 * The board of scan.pml, which includes this: its words, what they hold, and what a group does with
 * one of them, or with an element. A value is the run of units that it was folded from: its launch,
 * its row, the first and the one behind the last. Joins assert that runs meet, so that each output
 * has all units before it, once, in order, nested as the order of scans asks: units to a stretch,
 * stretches to a prefix. It knows no turns of groups.
 */
#define UNITS (ROWS * PER)
#define STRETCHES ((PER + STRETCH - 1) / STRETCH)
#define TURNS (UNITS + IDLE)

/* A run of units in 8 bits, of which 0 is none. A word has a launch's number above it. */
#define RUN_IN(turn, row, first, behind) ((turn) % 2 * 128 + (row) * 64 + (first) * 8 + (behind))
#define RUN(row, first, behind) RUN_IN(launch, row, first, behind)
#define LAUNCH_OF(v) ((v) >> 7 & 1)
#define ROW_OF(v) ((v) >> 6 & 1)
#define FIRST(v) ((v) >> 3 & 7)
#define BEHIND(v) ((v) & 7)
#define TAG (launch * 256)
#define TAG_OF(word) ((word) / 256 * 256)
#define VALUE_OF(word) ((word) & 255)
#define AT(row, k) ((k) * ROWS + (row))
#define ELEMENT(unit) RUN((unit) % ROWS, (unit) / ROWS, (unit) / ROWS + 1)
#ifdef FAULT_TAG_IGNORED
#define IS_THERE(word) ((word) != 0)
#else
#define IS_THERE(word) (TAG_OF(word) == TAG)
#endif

/* The board, all zero at first. */
short total[UNITS];
short whole[ROWS * STRETCHES];  /* a stretch's total */
short anchor[ROWS * STRETCHES]; /* the prefix up to its end */
byte mark[UNITS];               /* of a unit that is left the launch's number */
byte ticket, looked;
bool some_left; /* a bit of looked */

/* Input and output, and whether it is the output by now. */
byte memory[UNITS];
bool written[UNITS];

/* A word gets one value in each launch, once or more. */
inline publish(word, v) {
#ifdef FAULT_TAG_FIRST
    d_step { word = TAG | VALUE_OF(word) };
#endif
    d_step {
        assert((v) != 0 && (TAG_OF(word) != TAG || word == (TAG | (v)) || LAUNCH_OF(word) != launch % 2));
        word = TAG | (v);
    }
}

/* Load a word until its tag is right; or leave. The closing group finds what it looks for. */
#if LOOKS == 0
#define wait_for(word)                                                                             \
    do                                                                                             \
    :: atomic { IS_THERE(word) -> v = VALUE_OF(word); break }                                      \
    :: atomic { !IS_THERE(word) -> assert(!closing) }                                              \
    od
#else
#define wait_for(word)                                                                             \
    do                                                                                             \
    :: atomic { IS_THERE(word) -> v = VALUE_OF(word); break }                                      \
    :: atomic { !IS_THERE(word) -> assert(!closing); looks++;                                      \
                if :: looks == LOOKS -> goto leaves :: else fi }                                   \
    od
#endif

/* One more unit of a stretch. */
inline join_unit(part, v) {
    assert(v != 0 && BEHIND(v) == FIRST(v) + 1 && LAUNCH_OF(v) == launch % 2);
    if
    :: part == 0 -> assert(FIRST(v) % STRETCH == 0); part = v
    :: else ->
        assert(ROW_OF(part) == ROW_OF(v) && BEHIND(part) == FIRST(v));
        assert(FIRST(part) / STRETCH == FIRST(v) / STRETCH);
        part = RUN(ROW_OF(v), FIRST(part), BEHIND(v))
    fi
}

/* A prefix of whole stretches, and one more or a part of it. */
inline join_stretch(sum, v) {
    assert(v != 0 && FIRST(v) % STRETCH == 0 && BEHIND(v) <= FIRST(v) + STRETCH);
    assert(LAUNCH_OF(v) == launch % 2);
    if
    :: sum == 0 -> assert(FIRST(v) == 0); sum = v
    :: else ->
        assert(FIRST(sum) == 0 && ROW_OF(sum) == ROW_OF(v) && BEHIND(sum) == FIRST(v));
        sum = RUN(ROW_OF(v), 0, BEHIND(v))
    fi
}

/* Elements are read before their place is written, and it is written once. */
inline read_element(x, unit) {
    d_step {
        x = memory[unit];
        assert(!written[unit] && x == ELEMENT(unit));
    }
}

inline write_element(unit, result) {
    d_step {
        assert(!written[unit]);
        memory[unit] = result;
        written[unit] = true;
    }
}
