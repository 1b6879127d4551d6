# What run.cmake asks of scan.pml.

if(SET STREQUAL "protocol")
  holds("stretches of three and everything" "${safety}" "" PER=7 STRETCH=3 IDLE=1)
  holds("an anchor at the stretch before" "${safety}" "" PER=6 STRETCH=2 WINDOW=1 GROUPS=3
    LAUNCHES=1)
  holds("turns without units" "${safety}" "" PER=4 IDLE=2 GROUPS=3)
  holds("two rows and three groups" "${safety}" "" ROWS=2 PER=3 GROUPS=3 LAUNCHES=1)
  holds("an end with bounded waits, however unfair" "" "-a" LOOKS=2 GROUPS=2)
  foreach(groups RANGE 1 3)
    holds("an end with endless waits, if fair, of ${groups} groups" "" "-a;-f" LOOKS=0
      GROUPS=${groups})
  endforeach()
elseif(SET STREQUAL "larger")
  holds("stretches of one unit" "${safety}" "" PER=5 STRETCH=1 WINDOW=3 GROUPS=3
    LAUNCHES=1)
  holds("two rows in turns" "${safety}" "" ROWS=2 PER=5 GROUPS=2)
  holds("three launches" "${safety}" "" PER=4 LAUNCHES=3 GROUPS=3)
  holds("stretches of three and three groups" "${safety}" ""
    PER=7 STRETCH=3 WINDOW=2 GROUPS=3 LAUNCHES=1)
  holds("an anchor further away" "${safety}" "" PER=7 STRETCH=2 WINDOW=2 GROUPS=3 LAUNCHES=1)
  holds("an end with bounded waits of three groups" "" "-a" LOOKS=1 PER=5 GROUPS=3)
else()
  foreach(fault IN ITEMS TAG_FIRST TAG_IGNORED TICKET_IN_TWO_STEPS WRITE_FIRST MARK_LAST
          LEAVES_UNSEEN NO_REPAIR CLOSES_EARLY COUNTERS_STAY)
    finds(${fault} "assertion violated" "${safety}" "" FAULT_${fault})
  endforeach()
  finds("endless waits without fairness" "acceptance cycle" "" "-a" LOOKS=0)
  finds(LAST_UNIT_FIRST "acceptance cycle" "" "-a;-f" LOOKS=0 FAULT_LAST_UNIT_FIRST)
endif()
