from ipykernel.kernelbase import Kernel

class IPKernelApp:
    @classmethod
    def launch_instance(cls, *, kernel_class: type[Kernel], ignore_cwd: bool = False) -> None: ...
