#!/bin/sh
# A command-line agent that misbehaves on demand. Its words say how: the arguments, or its input when there are none.
if [ $# -eq 0 ]; then
  input=$(cat)
  # Words are split on purpose.
  set -- $input
elif [ $# -eq 1 ]; then
  set -- $1
fi
behaviour=$1
[ $# -gt 0 ] && shift

case $behaviour in
  # Answers with the rest of its words.
  say) echo "$*" ;;
  # Answers with its working directory, or with a variable of its environment.
  where) pwd ;;
  variable) eval "echo \"\${$1-unset}\"" ;;
  # Prints so many lines, one after each pause.
  count)
    number=1
    while [ "$number" -le "$1" ]; do
      echo "line $number"
      number=$((number + 1))
      sleep "${2:-0}"
    done
    ;;
  # Prints a file.
  replay) cat "$1" ;;
  # Prints without end.
  flood) while :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; done ;;
  # Complains and ends with that code.
  fail)
    code=$1
    shift
    echo "$*" >&2
    exit "$code"
    ;;
  # Works without end; ends when it is asked to.
  hang) exec sleep 3600 ;;
  # Leaves a child behind in its group and another one outside of it, and ends in good order.
  leave)
    sleep 3600 &
    setsid sleep 3600 &
    echo left
    ;;
  # Ignores requests to end, with a child in its group, one in a group of its own and one in a session of its own.
  stubborn)
    trap '' TERM INT HUP
    sleep 3600 &
    set -m
    sleep 3600 &
    set +m
    setsid sleep 3600 &
    echo ready
    while :; do sleep 3600; done
    ;;
  *)
    echo "There is no behaviour named \"$behaviour\"." >&2
    exit 64
    ;;
esac
