/*
 * The protocol of the single-pass scan, for spin: a clear launch, the pass, whose groups wait for
 * each other with bounded patience, and the repair launch. It says nothing of kernels: a unit is
 * one element, and memory is sequentially consistent; what the kernels rest on beyond that is that a
 * value and its flag are one word.
 *
 *   ROWS, PER       rows, which take turns, and units of each
 *   STRETCH         units of a stretch
 *   WINDOW          stretches from one to the anchor that it starts from, which has the prefix of all
 *                   up to its own
 *   GROUPS          that are resident together; whoever ends makes room for the next ticket
 *   LOOKS           at a word that is not there, after which a group leaves; 0: it waits for ever.
 *                   With 1 every number is covered, since a group that is not run waits as well
 *   FAULT_...       one of the faults below, each of which must be found
 *
 * A value is the run of units that it was folded from: its row, the first and the one behind the
 * last. Joins assert that runs meet, so that each output has all units before it, once, in order,
 * nested as the order of scans asks: units to a stretch, stretches to a prefix.
 */
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PER
#define PER 6
#endif
#ifndef STRETCH
#define STRETCH 2
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#define UNITS (ROWS * PER)
#define STRETCHES ((PER + STRETCH - 1) / STRETCH)
#define REPAIRERS 2

/* A run of units in 7 bits, of which 0 is none; a word of 0 is not there. */
#define FLAG 128
#define RUN(row, first, behind) ((row) * 64 + (first) * 8 + (behind))
#define ROW_OF(v) ((v) >> 6 & 1)
#define FIRST(v) ((v) >> 3 & 7)
#define BEHIND(v) ((v) & 7)
#define AT(row, k) ((k) * ROWS + (row))
#define ELEMENT(unit) RUN((unit) % ROWS, (unit) / ROWS, (unit) / ROWS + 1)

/* The scratch; what it has at first is anybody's guess. */
byte total[UNITS];
byte whole[ROWS * STRETCHES];  /* a stretch's total */
byte anchor[ROWS * STRETCHES]; /* the prefix up to its end */
bool done[UNITS];
byte ticket, left;

/* Input and output, and whether it is the output by now. */
byte memory[UNITS];
bool written[UNITS];

byte ended;
bool finished;

/* A word gets one value, once or more. */
inline publish(word, v) {
#ifdef FAULT_FLAG_FIRST
    word = word | FLAG;
#endif
    d_step {
        assert((v) != 0 && (word == 0 || word == FLAG || word == (FLAG | (v))));
        word = FLAG | (v);
    }
}

/* Load a word until its flag is set; or leave. */
#if LOOKS == 0
#define wait_for(word)                                                                             \
    do                                                                                             \
    :: atomic { (word & FLAG) != 0 -> v = word & ~FLAG; break }                                    \
    :: (word & FLAG) == 0 -> skip                                                                  \
    od
#else
#define wait_for(word)                                                                             \
    looks = 0;                                                                                     \
    do                                                                                             \
    :: atomic { (word & FLAG) != 0 -> v = word & ~FLAG; break }                                    \
    :: atomic { (word & FLAG) == 0 -> looks++; if :: looks == LOOKS -> goto leaves :: else fi }    \
    od
#endif

/* One more unit of a stretch. */
inline join_unit(part, v) {
    assert(v != 0 && BEHIND(v) == FIRST(v) + 1);
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

inline take_ticket() {
#ifdef FAULT_TICKET_IN_TWO_STEPS
    t = ticket;
    ticket = t + 1;
#else
    atomic { t = ticket; ticket++ }
#endif
}

#ifdef FAULT_LAST_UNIT_FIRST
#define UNIT_OF(t) (UNITS - 1 - (t))
#else
#define UNIT_OF(t) (t)
#endif

proctype group() {
    byte t, row, u, k, j, v, x, part, sum, looks;
    do
    :: take_ticket();
        if
        :: t >= UNITS -> break
        :: else
        fi;
        d_step {
            t = UNIT_OF(t);
            row = t % ROWS;
            u = t / ROWS;
            k = u / STRETCH;
            j = k * STRETCH;
        }
        read_element(x, t);
#ifdef FAULT_DONE_FIRST
        done[t] = true;
#endif
#ifdef FAULT_WRITE_FIRST
        written[t] = true;
#endif
#ifndef FAULT_PUBLISH_LAST
        publish(total[t], x);
#endif
        do /* the units of the stretch before this one */
        :: j < u ->
            wait_for(total[AT(row, j)]);
            atomic { join_unit(part, v); j++ }
        :: else -> break
        od;
        atomic { join_unit(part, x) };
#ifdef FAULT_PUBLISH_LAST
        publish(total[t], x);
#endif
        if
        :: u % STRETCH == STRETCH - 1 -> publish(whole[AT(row, k)], part)
        :: else
        fi;
        if /* the stretches before this one, from the anchor on */
        :: k >= WINDOW ->
            wait_for(anchor[AT(row, k - WINDOW)]);
            atomic { sum = v; j = k - WINDOW + 1 }
        :: else -> j = 0
        fi;
        do
        :: j < k ->
            wait_for(whole[AT(row, j)]);
            atomic { join_stretch(sum, v); j++ }
        :: else -> break
        od;
        atomic { join_stretch(sum, part) };
        if
        :: u % STRETCH == STRETCH - 1 -> publish(anchor[AT(row, k)], sum)
        :: else
        fi;
#ifdef FAULT_WRITE_FIRST
        written[t] = false;
#endif
        write_element(t, sum);
        done[t] = true;
        goto next;
leaves:
#ifdef FAULT_LEAVES_UNSEEN
        skip;
#else
        left++;
#endif
next:
        skip;
        d_step { t = 0; row = 0; u = 0; k = 0; j = 0; v = 0; x = 0; part = 0; sum = 0; looks = 0 }
    od;
    ended++
}

/* What the pass left, from the totals alone. */
proctype repair(byte unit) {
    byte j, v, x, part, sum;
    if
    :: left == 0 -> goto ends
    :: else
    fi;
    do
    :: unit >= UNITS -> break
    :: unit < UNITS && done[unit] -> unit = unit + REPAIRERS
    :: unit < UNITS && !done[unit] ->
        read_element(x, unit);
        d_step {
            part = 0;
            sum = 0;
            j = 0;
            do
            :: j < unit / ROWS ->
                v = total[AT(unit % ROWS, j)];
                assert((v & FLAG) != 0);
                v = v & ~FLAG;
                join_unit(part, v);
                j++;
                if
                :: j % STRETCH == 0 -> join_stretch(sum, part); part = 0
                :: else
                fi
            :: else -> break
            od;
            join_unit(part, x);
            join_stretch(sum, part);
        }
        write_element(unit, sum);
        unit = unit + REPAIRERS
    od;
ends:
    ended++
}

/* Launches follow one another. */
init {
    byte i;
    d_step {
        for (i : 0 .. UNITS - 1) {
            memory[i] = ELEMENT(i);
            total[i] = FLAG | RUN(0, 0, 7);
            done[i] = true;
        }
        for (i : 0 .. ROWS * STRETCHES - 1) {
            whole[i] = FLAG | RUN(0, 0, 7);
            anchor[i] = FLAG | RUN(0, 0, 7);
        }
        ticket = 99;
        left = 99;
        i = 0;
    }
#ifdef FAULT_WORDS_NOT_CLEARED
    d_step { ticket = 0; left = 0 }
#else
    d_step {
        for (i : 0 .. UNITS - 1) {
            total[i] = 0;
            done[i] = false;
        }
        for (i : 0 .. ROWS * STRETCHES - 1) {
            whole[i] = 0;
            anchor[i] = 0;
        }
        ticket = 0;
        left = 0;
        i = 0;
    }
#endif
    atomic {
        for (i : 1 .. GROUPS) {
            run group();
        }
        i = 0;
    }
#ifndef FAULT_REPAIR_BESIDE_PASS
    ended == GROUPS;
#endif
#ifndef FAULT_NO_REPAIR
    atomic {
        for (i : 0 .. REPAIRERS - 1) {
            run repair(i);
        }
        i = 0;
    }
    ended == GROUPS + REPAIRERS;
#endif
    d_step {
        for (i : 0 .. UNITS - 1) {
            assert(written[i] && memory[i] == RUN(i % ROWS, 0, i / ROWS + 1));
        }
        i = 0;
        finished = true;
    }
}

ltl ends { <> finished }
