/** Numbers of system calls, from the kernel's own tables; those from 424 on are the same everywhere. */
interface SystemCallTable {
  /** AUDIT_ARCH_*: what the kernel calls the architecture. */
  readonly architecture: number;
  readonly denied: readonly number[];
  /** Answered as by a kernel that does not have them, so that programs fall back. */
  readonly absent: readonly number[];
  /** Make memory that no process maps and that cannot be seen from outside: refused where the kernel does not count it for us. */
  readonly uncounted: readonly number[];
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
}

/** clone3 hides its flags behind a pointer, which a filter cannot follow; io_uring does system calls past any filter. */
const ABSENT_EVERYWHERE = [
  425, // io_uring_setup
  426, // io_uring_enter
  427, // io_uring_register
  435, // clone3
];

const DENIED_EVERYWHERE = [
  428, // open_tree
  429, // move_mount
  430, // fsopen
  431, // fsconfig
  432, // fsmount
  433, // fspick
  438, // pidfd_getfd
  442, // mount_setattr
  443, // quotactl_fd
  447, // memfd_secret
  467, // open_tree_attr
];

export const SYSTEM_CALLS: Readonly<Partial<Record<NodeJS.Architecture, SystemCallTable>>> = {
  x64: {
    architecture: 0xc000003e,
    absent: ABSENT_EVERYWHERE,
    denied: [
      ...DENIED_EVERYWHERE,
      101, // ptrace
      310, // process_vm_readv
      311, // process_vm_writev
      312, // kcmp
      165, // mount
      166, // umount2
      155, // pivot_root
      161, // chroot
      272, // unshare
      308, // setns
      250, // keyctl
      248, // add_key
      249, // request_key
      321, // bpf
      298, // perf_event_open
      323, // userfaultfd
      246, // kexec_load
      320, // kexec_file_load
      175, // init_module
      313, // finit_module
      176, // delete_module
      169, // reboot
      167, // swapon
      168, // swapoff
      103, // syslog
      163, // acct
      179, // quotactl
      164, // settimeofday
      227, // clock_settime
      305, // clock_adjtime
      159, // adjtimex
      172, // iopl
      173, // ioperm
      154, // modify_ldt
      303, // name_to_handle_at
      304, // open_by_handle_at
      212, // lookup_dcookie
      180, // nfsservctl
      153, // vhangup
      300, // fanotify_init
      170, // sethostname
      171, // setdomainname
      134, // uselib
      139, // sysfs
    ],
    uncounted: [
      319, // memfd_create
      29, // shmget
      64, // semget
      68, // msgget
    ],
    clone: 56,
    ioctl: 16,
    socket: 41,
  },
  arm64: {
    architecture: 0xc00000b7,
    absent: ABSENT_EVERYWHERE,
    denied: [
      ...DENIED_EVERYWHERE,
      117, // ptrace
      270, // process_vm_readv
      271, // process_vm_writev
      272, // kcmp
      40, // mount
      39, // umount2
      41, // pivot_root
      51, // chroot
      97, // unshare
      268, // setns
      219, // keyctl
      217, // add_key
      218, // request_key
      280, // bpf
      241, // perf_event_open
      282, // userfaultfd
      104, // kexec_load
      294, // kexec_file_load
      105, // init_module
      273, // finit_module
      106, // delete_module
      142, // reboot
      224, // swapon
      225, // swapoff
      116, // syslog
      89, // acct
      60, // quotactl
      170, // settimeofday
      112, // clock_settime
      266, // clock_adjtime
      171, // adjtimex
      264, // name_to_handle_at
      265, // open_by_handle_at
      18, // lookup_dcookie
      42, // nfsservctl
      58, // vhangup
      262, // fanotify_init
      161, // sethostname
      162, // setdomainname
    ],
    uncounted: [
      279, // memfd_create
      194, // shmget
      190, // semget
      186, // msgget
    ],
    clone: 220,
    ioctl: 29,
    socket: 198,
  },
};
