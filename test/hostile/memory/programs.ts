/** How memory is eaten that a limit of one process does not see, in Perl: it is there wherever git is, and can call the kernel. */
export interface Eater {
  readonly name: string;
  readonly does: string;
  readonly perl: string;
}

const MIB = 2 ** 20;
/** It holds what it has for as long as a watcher may need to see it, and no longer. */
const HOLD = "select(undef, undef, undef, 3);\n";
/** Numbers of calls differ between processors. */
const CALLS =
  "my %calls = (`uname -m` =~ /aarch64/) ? (memfd => 279, shmget => 194, shmat => 196, eventfd => 19, epoll => 20, timerfd => 85, inotify => 26, mq => 180, vmsplice => 75, msgget => 186, msgsnd => 189) : (memfd => 319, shmget => 29, shmat => 30, eventfd => 290, epoll => 291, timerfd => 283, inotify => 294, mq => 240, vmsplice => 278, msgget => 68, msgsnd => 69);\n";
const BLOCK = `my $block = "x" x ${MIB};\n`;
const children = (count: number, code: string) =>
  `for my $child (1 .. ${count}) { my $pid = fork(); next if !defined $pid || $pid; ${code} ${HOLD} exit 0; }\n${HOLD}`;
const memfd = (blocks: number) =>
  `my $name = "m"; my $fd = syscall($calls{memfd}, $name, 0); if ($fd >= 0 && open(my $out, ">&=", $fd)) { for (1 .. ${blocks}) { last unless syswrite($out, $block); } push @held, $out; }`;

export const EATERS: readonly Eater[] = [
  {
    name: "files in memory",
    does: "writes 40 files of 120 MiB that are in memory alone",
    perl: `my @held; for (1 .. 40) { ${memfd(120)} }\n${HOLD}`,
  },
  {
    name: "one file in memory",
    does: "writes 5 GiB into one file in memory",
    perl: `my @held; ${memfd(5_120)}\n${HOLD}`,
  },
  {
    name: "files in memory of many",
    does: "has 20 processes write 250 MiB each into files in memory",
    perl: `my @held;\n${children(20, memfd(250))}`,
  },
  {
    name: "socket buffers",
    does: "fills the buffers of 3,000 pairs of sockets",
    perl: `use Socket; my @held; for (1 .. 3000) { socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or last; setsockopt($a, SOL_SOCKET, SO_SNDBUF, pack("l", 8388608)); use Fcntl; fcntl($a, F_SETFL, O_NONBLOCK); 1 while syswrite($a, $block); push @held, $a, $b; }\n${HOLD}`,
  },
  {
    name: "packets",
    does: "fills 3,000 pairs of sockets with packets of a byte",
    perl: `use Socket; use Fcntl; my @held; for (1 .. 3000) { socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) or last; setsockopt($a, SOL_SOCKET, SO_SNDBUF, pack("l", 8388608)); fcntl($a, F_SETFL, O_NONBLOCK); 1 while send($a, "x", 0); push @held, $a, $b; }\n${HOLD}`,
  },
  {
    name: "connections",
    does: "fills the buffers of 500 connections to itself",
    perl: `use Socket; use Fcntl; socket(my $l, PF_INET, SOCK_STREAM, 0); bind($l, sockaddr_in(0, INADDR_LOOPBACK)); listen($l, 4096); my $to = getsockname($l); my @held; for (1 .. 500) { socket(my $a, PF_INET, SOCK_STREAM, 0) or last; setsockopt($a, SOL_SOCKET, SO_SNDBUF, pack("l", 16777216)); connect($a, $to) or last; fcntl($a, F_SETFL, O_NONBLOCK); 1 while syswrite($a, $block); push @held, $a; }\n${HOLD}`,
  },
  {
    name: "pipes",
    does: "fills 4,000 pipes of a megabyte",
    perl: `use Fcntl; my @held; for (1 .. 4000) { pipe(my $r, my $w) or last; fcntl($w, 1031, ${MIB}); fcntl($w, F_SETFL, O_NONBLOCK); 1 while syswrite($w, $block); push @held, $r, $w; }\n${HOLD}`,
  },
  {
    name: "temporary files",
    does: "fills every folder that is in memory",
    perl: `for my $at ("/tmp", "/dev/shm", "/run", "/var/tmp", "/dev", "/box") { open(my $out, ">", "$at/fill") or next; for (1 .. 3000) { last unless syswrite($out, $block); } }\n${HOLD}`,
  },
  {
    name: "many small files",
    does: "makes 300,000 empty files in memory",
    perl: `for my $at ("/tmp", "/dev/shm") { for my $n (1 .. 150000) { open(my $out, ">", "$at/f$n") or last; } }\n${HOLD}`,
  },
  {
    name: "shared memory",
    does: "takes 4 GiB of shared memory that nobody owns",
    perl: `for my $n (1 .. 40) { my $id = shmget($n, 104857600, 0666 | 01000); last unless defined $id; for my $at (0 .. 99) { shmwrite($id, $block, $at * ${MIB}, ${MIB}); } }\n${HOLD}`,
  },
  {
    name: "messages",
    does: "queues messages that nobody reads",
    perl: `for my $n (1 .. 2000) { my $id = msgget($n, 0666 | 01000); last unless defined $id; 1 while msgsnd($id, pack("l! a*", 1, "x" x 8000), 04000); }\n${HOLD}`,
  },
  {
    name: "semaphores",
    does: "makes as many semaphores as it can",
    perl: `for my $n (1 .. 32000) { last unless defined semget($n, 250, 0666 | 01000); }\n${HOLD}`,
  },
  { name: "heap", does: "takes 5 GiB of its own", perl: `my @held; push @held, $block . $_ for (1 .. 5120);\n${HOLD}` },
  {
    name: "heaps of many",
    does: "has 30 processes take 200 MiB each",
    perl: children(30, "my @held; push @held, $block . $_ for (1 .. 200);"),
  },
  { name: "fork bomb", does: "doubles itself for as long as it can", perl: `for (1 .. 15) { fork(); }\n${HOLD}` },
  {
    name: "long arguments",
    does: "starts 300 programs with 100 KB of arguments 15 times over",
    perl: `for (1 .. 300) { my $pid = fork(); next if !defined $pid || $pid; exec("sleep", "3", map { "x" x 100000 } (1 .. 15)); exit 0; }\n${HOLD}`,
  },
  {
    name: "open files",
    does: "opens as many files as it can in 50 processes",
    perl: children(50, 'my @held; while (open(my $in, "<", "/dev/null")) { push @held, $in; }'),
  },
  {
    name: "kernel objects",
    does: "makes events, timers and watches without end",
    perl: `my @made; for my $call ("eventfd", "epoll", "timerfd", "inotify") { for (1 .. 20000) { last if syscall($calls{$call}, $call eq "timerfd" ? 1 : 0, 0) < 0; } }\n${HOLD}`,
  },
  {
    name: "page cache",
    does: "writes 3 GiB of files and reads them again",
    perl: `for my $n (1 .. 300) { open(my $out, ">", "cache-$n") or last; for (1 .. 10) { last unless syswrite($out, $block); } close $out; open(my $in, "<", "cache-$n"); 1 while sysread($in, my $read, ${MIB}); }\n${HOLD}`,
  },
  {
    name: "never the first to go",
    does: "tells the kernel to end everybody else first, and takes 4 GiB",
    perl: `for my $file ("/proc/self/oom_score_adj", "/proc/self/oom_adj") { for my $score ("-1000", "-17", "0") { open(my $out, ">", $file) or next; syswrite($out, $score); } }\nmy @held; push @held, $block . $_ for (1 .. 4096);\n${HOLD}`,
  },
  {
    name: "locked",
    does: "maps memory that it shares with its children, and writes in each",
    perl: `my @held; for (1 .. 30) { open(my $file, "+>", "/dev/shm/map-$_") or last; for (1 .. 120) { last unless syswrite($file, $block); } unlink "/dev/shm/map-$_"; push @held, $file; }\n${HOLD}`,
  },
  { name: "output", does: "prints 500 MB", perl: "1 while (syswrite(STDERR, $block) && $n++ < 500);" },
].map((eater) => ({ ...eater, perl: `our $n = 0;\n${CALLS}${BLOCK}${eater.perl}` }));
