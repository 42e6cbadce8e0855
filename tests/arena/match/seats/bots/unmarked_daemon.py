"""As daemon.py, but the child wipes its environment, so that nothing tells whose it is."""

import os
import subprocess
import sys

import polite

if not os.fork():
    os.setsid()
    code = "import os,sys,time; open(sys.argv[1],'w').write(str(os.getpid())); time.sleep(60)"
    subprocess.Popen([sys.executable, "-c", code, sys.argv[1]], env={}, start_new_session=True)
    os._exit(0)
polite.wait_for(sys.argv[1])
polite.play()
