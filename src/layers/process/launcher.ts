import { confiningCalls, type Machine } from "./machine.ts"

/**
 * Confines itself by the steps that it is given, in their order, and becomes the command. It is one process that makes the calls
 * itself: programs of util-linux that make one call each cost a dozen starts for every child. Only perl's core is used, which
 * loads nothing. The root folder is built over /sys, of which no one inside needs anything, so that a start makes no folder.
 */
export const launcher = String.raw`
my %number;
@number{qw(${confiningCalls.join(" ")})} = map { 0 + $_ } split /,/, shift;
# The kernel reads and writes the caller's own variables: constants cannot be given.
sub called {
  my $name = shift;
  return syscall($number{$name}, @_) != -1;
}
sub call {
  my $what = shift;
  &called or die "$what: $!\n";
}
sub taken { map { 0 + $_ } splice @ARGV, 0, shift }
sub written {
  my ($path, $text) = @_;
  open(my $file, ">", $path) or die "$path: $!\n";
  syswrite($file, $text) or die "$path: $!\n";
}
my ($RDONLY, $NOSUID, $NODEV, $NOEXEC, $REMOUNT, $BIND, $REC, $PRIVATE) = (1, 2, 4, 8, 32, 4096, 16384, 1 << 18);
my $NEWUSER = 0x10000000;
my $root = "/sys";
sub mounted {
  my ($from, $at, $type, $flags, $options) = @_;
  return called("mount", $from, $root . $at, $type, $flags, $options);
}
my ($HERE, $CLONE, $DEEP, $EMPTY, $OWNED) = (-100, 1, 0x8000, 0x1000, 0x100000);
# What waits to be mounted in the place of the path itself.
my %owned;
sub attached {
  my ($path, $recursive) = @_;
  if (defined(my $tree = $owned{$path})) {
    my ($itself, $at) = ("", $root . $path);
    call("mount of $path", "move_mount", $tree, $itself, $HERE, $at, 4);
    return;
  }
  mounted($path, $path, 0, $BIND | $recursive, 0) or die "mount of $path: $!\n";
}
# A user namespace may not take back what the mount outside forbids: the second attempt keeps NOEXEC.
sub restricted {
  my ($path, $flags) = @_;
  my $again = $REMOUNT | $BIND | $NOSUID | $NODEV | $flags;
  mounted("none", $path, 0, $again, 0) or mounted("none", $path, 0, $again | $NOEXEC, 0) or die "remount of $path: $!\n";
}
sub folder {
  my ($path) = @_;
  return if -d $path;
  folder($path =~ m{^(.+)/[^/]+$}s ? $1 : die "no folder above $path\n");
  mkdir $path or die "$path: $!\n";
}
sub follows { call("prctl", "prctl", 1, 9, 0, 0, 0) }
sub ended { $_[0] & 127 ? 128 + ($_[0] & 127) : $_[0] >> 8 }
# Goes on in a child, and ends as it does.
sub behind {
  my $child = fork() // die "fork: $!\n";
  return if $child == 0;
  while ((my $one = wait()) != -1) { exit ended($?) if $one == $child }
  exit 1;
}
my %step = (
  limit => sub {
    my ($resource, $most) = taken(2);
    my $limit = "\0" x 16;
    call("limit", "prlimit64", 0, $resource, 0, $limit);
    my (undef, $hard) = unpack("Q2", $limit);
    $most = $hard if $hard < $most;
    $limit = pack("Q2", $most, $most);
    call("limit", "prlimit64", 0, $resource, $limit, 0);
  },
  namespaces => sub {
    my ($flags) = taken(1);
    my ($uid, $gid) = ($>, 0 + $));
    call("unshare", "unshare", $flags);
    if ($flags & $NEWUSER) {
      written("/proc/self/setgroups", "deny");
      written("/proc/self/uid_map", "0 $uid 1");
      written("/proc/self/gid_map", "0 $gid 1");
    }
    # After the change of rights, which would take it back: it ends when its parent does.
    follows();
    behind();
    follows();
    my ($none, $everything) = ("none", "/");
    call("mount of /", "mount", $none, $everything, 0, $REC | $PRIVATE, 0);
    mounted("none", "", "tmpfs", $NOSUID | $NODEV, "mode=755,size=1m") or die "mount of tmpfs: $!\n";
  },
  # Leaves a process in a user namespace in which the owner of files is another account, and prints its PID: the caller opens
  # the namespace and ends the process.
  owners => sub {
    my ($uid, $gid, $account) = taken(3);
    pipe(my $ready, my $made) or die "pipe: $!\n";
    my $child = fork() // die "fork: $!\n";
    if ($child == 0) {
      call("user namespace", "unshare", $NEWUSER);
      syswrite($made, "1");
      close $_ for *STDIN, *STDOUT, *STDERR, $ready, $made;
      sleep 60;
      exit 0;
    }
    close $made;
    sysread($ready, my $one, 1) or die "no user namespace\n";
    written("/proc/$child/uid_map", "$uid $account 1");
    written("/proc/$child/gid_map", "$gid $account 1");
    print "$child\n";
    exit 0;
  },
  # A mount that is given such a namespace shows the owner's files as the account's.
  owned => sub {
    my ($count) = taken(1);
    for (1 .. $count) {
      my ($path, $namespace) = splice @ARGV, 0, 2;
      open(my $owners, "<", $namespace) or die "$namespace: $!\n";
      my $tree = syscall($number{open_tree}, $HERE, $path, $CLONE | $DEEP);
      die "mount of $path: $!\n" if $tree == -1;
      my ($itself, $given) = ("", pack("Q4", $OWNED, 0, 0, fileno($owners)));
      call("owner of $path", "mount_setattr", $tree, $itself, $EMPTY | $DEEP, $given, length $given);
      $owned{$path} = $tree;
    }
  },
  folder => sub { folder($root . shift @ARGV) },
  file => sub { my $path = $root . shift @ARGV; open(my $file, ">>", $path) or die "$path: $!\n" },
  text => sub { my ($path, $text) = splice @ARGV, 0, 2; written($root . $path, $text) },
  link => sub {
    my ($to, $path) = splice @ARGV, 0, 2;
    symlink $to, $root . $path or die "link $path: $!\n";
  },
  readable => sub { my $path = shift @ARGV; attached($path, $REC); restricted($path, $RDONLY) },
  writable => sub { my $path = shift @ARGV; attached($path, 0); restricted($path, 0) },
  device => sub { attached(shift @ARGV, 0) },
  processes => sub {
    my ($most) = taken(1);
    mounted("proc", "/proc", "proc", $NOSUID | $NODEV | $NOEXEC | ($most ? 0 : $RDONLY), 0) or die "mount of /proc: $!\n";
    return unless $most;
    written("$root/proc/sys/kernel/pid_max", $most);
    restricted("/proc", $RDONLY | $NOEXEC);
  },
  enter => sub {
    restricted("", $RDONLY);
    chdir $root or die "$root: $!\n";
    my ($here, $there) = (".", ".");
    call("pivot_root", "pivot_root", $here, $there);
    call("umount", "umount2", $here, 2);
    chdir "/" or die "/: $!\n";
    behind();
  },
  powerless => sub {
    my ($account) = taken(1);
    for (0 .. 63) { last unless called("prctl", 24, $_, 0, 0, 0) }
    called("prctl", 47, 4, 0, 0, 0);
    if ($account) {
      call("setgroups", "setgroups", 0, 0);
      call("setresgid", "setresgid", $account, $account, $account);
      call("setresuid", "setresuid", $account, $account, $account);
    }
    my ($header, $none) = (pack("L2", 0x20080522, 0), "\0" x 24);
    call("capset", "capset", $header, $none);
  },
  bounded => sub { call("prctl", "prctl", 38, 1, 0, 0, 0) },
  filter => sub {
    my $filter = pack("H*", shift @ARGV);
    my $program = pack("S x![P] P", length($filter) / 8, $filter);
    call("seccomp", "prctl", 22, 2, $program, 0, 0);
  }
);
while (defined(my $next = shift @ARGV)) {
  if ($next eq "run") { exec { $ARGV[0] } @ARGV or print STDERR "$ARGV[0]: $!\n"; exit 127 }
  ($step{$next} // die "no step $next\n")->();
}
`

/** What the launcher is given before its steps. */
export const callNumbers = ({ calls }: Machine): string => confiningCalls.map((name) => calls[name]).join(",")
