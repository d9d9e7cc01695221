#!/bin/sh
# A command-line agent that misbehaves on demand, as told by its arguments, or by stdin without arguments.
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
  # Prints its other arguments.
  say) echo "$*" ;;
  # Prints its working directory, or an environment variable.
  where) pwd ;;
  variable) eval "echo \"\${$1-unset}\"" ;;
  # Prints a number of lines with a pause after each.
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
  # Prints forever.
  flood) while :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; done ;;
  # Prints an error and exits with that code.
  fail)
    code=$1
    shift
    echo "$*" >&2
    exit "$code"
    ;;
  # Runs forever; ends on SIGTERM.
  hang) exec sleep 3600 ;;
  # Leaves one child running in its group and one outside of it, and exits with code 0.
  leave)
    sleep 3600 &
    setsid sleep 3600 &
    echo left
    ;;
  # Ignores SIGTERM, with one child in its group, one in another group and one in another session.
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
