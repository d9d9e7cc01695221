# Runs a program in a pseudo-terminal: COLUMNS ROWS PROGRAM WORD...
# Its output goes to stdout as it comes, and what is read from stdin is typed.
import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, rows = int(sys.argv[1]), int(sys.argv[2])
child, master = pty.fork()
if child == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
inputs = [master, 0]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if master in ready:
        try:
            data = os.read(master, 65536)
        except OSError:
            data = b""
        if not data:
            break
        os.write(1, data)
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed:
            os.write(master, typed)
        else:
            inputs.remove(0)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
