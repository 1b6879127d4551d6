/*
 * The protocol of the single-pass scan, for spin: launches one after the other on one board, whose
 * groups wait for each other with bounded patience; the group that is the last to have looked writes
 * what was left. It says nothing of kernels: a unit is one element, and memory is sequentially
 * consistent; what the kernels rest on beyond that is that a value and its tag are one word.
 *
 *   ROWS, PER       rows, which take turns, and units of each
 *   STRETCH         units of a stretch
 *   WINDOW          stretches from one to the anchor that it starts from, which has the prefix of all
 *                   up to its own
 *   GROUPS          that are resident together; whoever ends makes room for the next one
 *   IDLE            turns of groups at which there is no unit any more
 *   LOOKS           at a word that is not there, after which a group leaves; 0: it waits for ever.
 *                   With 1 every number is covered, since a group that is not run waits as well
 *   LAUNCHES        of which each finds what the one before left on the board
 *   FAULT_...       one of the faults below and in scan_board.pml, each of which must be found
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
#ifndef IDLE
#define IDLE 0
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#ifndef LAUNCHES
#define LAUNCHES 2
#endif

#include "scan_board.pml"

byte launch, turns, ended;
bool finished;

inline take_ticket() {
#ifdef FAULT_TICKET_IN_TWO_STEPS
    t = ticket;
    ticket = t + 1;
#else
    atomic { t = ticket; ticket++ }
#endif
}

#ifdef FAULT_LAST_UNIT_FIRST
#define UNIT_OF(t) ((t) < UNITS -> UNITS - 1 - (t) : (t))
#else
#define UNIT_OF(t) (t)
#endif

#ifdef FAULT_CLOSES_EARLY
#define LAST (TURNS - 2)
#else
#define LAST (TURNS - 1)
#endif

/* Count a turn; the last one that counts is the closing group's. */
inline count_turn() {
    atomic {
        is_last = looked == LAST;
        has_left = some_left;
        looked++
    }
}

proctype group() {
    byte t, row, u, k, j, x, part, sum, looks;
    short v;
    bool closing, is_last, has_left;
    do
    :: closing -> /* the next unit that is marked */
        d_step {
            do
            :: t < UNITS && mark[t] != launch -> t++
            :: else -> break
            od
        }
        if
        :: t == UNITS -> break
        :: else -> goto begins
        fi
    :: atomic { !closing && turns < TURNS -> turns++ };
        take_ticket();
        if
        :: t >= UNITS -> count_turn(); goto counted
        :: else -> t = UNIT_OF(t)
        fi;
begins:
        skip;
        d_step {
            row = t % ROWS;
            u = t / ROWS;
            k = u / STRETCH;
            j = k * STRETCH;
        }
        read_element(x, t);
#ifdef FAULT_WRITE_FIRST
        written[t] = true;
#endif
        publish(total[t], x);
        do /* the units of the stretch before this one */
        :: j < u ->
            wait_for(total[AT(row, j)]);
            atomic { join_unit(part, v); j++ }
        :: else -> break
        od;
        atomic { join_unit(part, x) };
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
        if
        :: closing -> write_element(t, sum); t++; goto next
        :: else -> count_turn(); write_element(t, sum); goto counted
        fi;
leaves:
#ifdef FAULT_MARK_LAST
        some_left = true;
        count_turn();
        mark[t] = launch;
#else
        mark[t] = launch;
#ifndef FAULT_LEAVES_UNSEEN
        some_left = true;
#endif
        count_turn();
#endif
counted:
        t = 0;
        if
        :: is_last ->
#ifdef FAULT_COUNTERS_STAY
            skip;
#else
            atomic { ticket = 0; looked = 0; some_left = false };
#endif
#ifndef FAULT_NO_REPAIR
            closing = has_left;
#endif
            is_last = false
        :: else
        fi;
next:
        skip;
        d_step { row = 0; u = 0; k = 0; j = 0; v = 0; x = 0; part = 0; sum = 0; looks = 0;
                 has_left = false }
    :: atomic { !closing && turns == TURNS -> break }
    od;
    ended++
}

/* Launches follow one another. */
init {
    byte i;
    do
    :: launch == LAUNCHES -> break
    :: else ->
        d_step {
            launch++;
            for (i : 0 .. UNITS - 1) {
                memory[i] = ELEMENT(i);
                written[i] = false;
            }
            turns = 0;
            ended = 0;
            i = 0;
        }
        atomic {
            for (i : 1 .. GROUPS) {
                run group();
            }
            i = 0;
        }
        ended == GROUPS;
        d_step {
            assert(ticket == 0 && looked == 0 && !some_left);
            for (i : 0 .. UNITS - 1) {
                assert(written[i] && memory[i] == RUN(i % ROWS, 0, i / ROWS + 1));
            }
            i = 0;
        }
    od;
    finished = true
}

ltl ends { <> finished }
