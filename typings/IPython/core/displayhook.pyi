from IPython.core.interactiveshell import InteractiveShell

class DisplayHook:
    shell: InteractiveShell
