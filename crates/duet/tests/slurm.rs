//! A real Slurm of one node: an array job of eight parts, one of them killed in the middle and
//! submitted again. What is merged equals what one run says.
//!
//! Slurm and munge are started here, in a folder and on ports of their own, and end with the
//! test. Nothing of the machine's own Slurm is used but the programs.

mod reports;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use reports::without_times;
use tempfile::TempDir;

const PARTS: usize = 8;
/// The part that is killed.
const KILLED: usize = 3;
const LONGEST: Duration = Duration::from_secs(120);

/// A program of Slurm or munge, which may be where only root looks.
fn program(name: &str) -> PathBuf {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/usr/local/sbin";
    let found = path.split(':').map(|folder| Path::new(folder).join(name)).find(|p| p.is_file());
    found.unwrap_or_else(|| {
        panic!("{name} is missing; run make setup, or: apt-get install slurm-wlm munge")
    })
}

/// A port that nothing listens on.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn word(name: &str, words: &[&str]) -> String {
    let output = Command::new(name).args(words).output().expect(name);
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// A Slurm that is running.
struct Slurm {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    fn start() -> Slurm {
        let folder = tempfile::tempdir().expect("a folder");
        let mut slurm = Slurm { folder, daemons: vec![] };
        for name in ["state", "spool"] {
            std::fs::create_dir(slurm.at(name)).expect("a folder");
        }
        slurm.start_munge();
        std::fs::write(slurm.at("slurm.conf"), slurm.configuration()).expect("a file");
        let conf = slurm.at("slurm.conf");
        slurm.spawn(Command::new(program("slurmctld")).args(["-D", "-i", "-f"]).arg(&conf));
        slurm.spawn(Command::new(program("slurmd")).args(["-D", "-f"]).arg(&conf));
        slurm.wait("the node is idle", || slurm.said("sinfo", &["-h", "-o", "%T"]) == "idle");
        slurm
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn spawn(&mut self, command: &mut Command) {
        let log = std::fs::File::create(self.at("log")).expect("a file");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        self.daemons.push(child.unwrap_or_else(|error| panic!("{command:?}: {error}")));
    }

    fn start_munge(&mut self) {
        use std::os::unix::fs::PermissionsExt;
        // Those who are not root reach the socket too.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.folder.path(), open).expect("a folder");
        let (key, socket) = (self.at("key"), self.at("munge.socket"));
        let mut bytes = vec![0; 128];
        let random = std::fs::File::open("/dev/urandom").expect("random bytes");
        std::io::Read::read_exact(&mut &random, &mut bytes).expect("random bytes");
        std::fs::write(&key, bytes).expect("a file");
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).expect("a file");
        let option = |name: &str, path: &Path| format!("--{name}={}", path.display());
        let mut munge = Command::new(program("munged"));
        munge.args(["--foreground", "--force"]).arg(option("key-file", &key));
        munge.arg(option("socket", &socket)).arg(option("pid-file", &self.at("munged.pid")));
        munge.arg(option("log-file", &self.at("munged.log")));
        self.spawn(munge.arg(option("seed-file", &self.at("seed"))));
        self.wait("munge listens", || socket.exists());
    }

    fn configuration(&self) -> String {
        let (host, user) = (word("hostname", &["-s"]), word("id", &["-un"]));
        let folder = self.folder.path().display();
        let (controller, node) = (port(), port());
        format!(
            "ClusterName=duet
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
KillWait=1
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
"
        )
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        command.env("SLURM_CONF", self.at("slurm.conf")).current_dir(self.folder.path());
        command
    }

    fn said(&self, name: &str, words: &[&str]) -> String {
        let output = self.command(name).args(words).output().expect(name);
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn() -> bool) {
        let end = Instant::now() + LONGEST;
        while !is_so() {
            let log = |name: &str| std::fs::read_to_string(self.at(name)).unwrap_or_default();
            let logs = ["log", "munged.log", "slurmctld.log", "slurmd.log"].map(log).concat();
            assert!(Instant::now() < end, "waited for: {what}\n{logs}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Submits some parts as an array job; its number.
    #[track_caller]
    fn submit(&self, parts: &str) -> String {
        let array = format!("--array={parts}");
        let output = self.command("sbatch").args(["--parsable", &array, "job.sh"]).output();
        let output = output.expect("sbatch");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    fn is_done(&self, job: &str) -> bool {
        self.said("squeue", &["-h", "-j", job]).is_empty()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        // The node first, then the controller, then what they prove themselves with.
        for daemon in self.daemons.iter_mut().rev() {
            let id = daemon.id().to_string();
            let _ = Command::new("kill").arg(&id).status();
            let end = Instant::now() + Duration::from_secs(5);
            while daemon.try_wait().is_ok_and(|status| status.is_none()) && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// What each task of the job does, as docs/ci.md has it. The first time that the part that is
/// to be killed runs, it writes a beginning and goes on for ever.
fn job() -> String {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
    format!(
        "#!/bin/bash
#SBATCH --output=/dev/null
export DUET_Z3={z3} DUET_CACHE_DIR={cache}
K=$SLURM_ARRAY_TASK_ID
if [ $K = {KILLED} ] && [ ! -e held ]; then
    printf '{{ \"version\": 1, \"files\": [' >part-$K.json
    touch held
    sleep 600
fi
{duet} check src --shard=$K/{PARTS} --format=json >part-$K.json
true
",
        z3 = z3.display(),
        cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"),
        duet = env!("CARGO_BIN_EXE_duet"),
    )
}

#[test]
fn an_array_job_with_a_killed_part_equals_one_run() {
    let slurm = Slurm::start();
    std::fs::create_dir(slurm.at("src")).expect("a folder");
    for number in 0..12 {
        let index = if number % 5 == 1 { "0" } else { "blockIdx.x * blockDim.x + threadIdx.x" };
        let text = format!(
            "__global__ void k{number}(int *a) {{ a[{index}] = threadIdx.x + {number}; }}\n"
        );
        std::fs::write(slurm.at(&format!("src/k{number}.cu")), text).expect("a file");
    }
    std::fs::write(slurm.at("job.sh"), job()).expect("a file");
    let duet = |words: &[&str]| -> Output {
        let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
        let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
        duet.current_dir(slurm.folder.path()).args(words).env("DUET_Z3", z3);
        duet.output().expect("duet")
    };
    let parts: Vec<String> = (1..=PARTS).map(|number| format!("part-{number}.json")).collect();
    let merge: Vec<&str> =
        ["merge", "--format=json"].into_iter().chain(parts.iter().map(String::as_str)).collect();

    let job = slurm.submit(&format!("1-{PARTS}"));
    slurm.wait("the part to kill runs", || slurm.at("held").exists());
    let killed = slurm.command("scancel").arg(format!("{job}_{KILLED}")).status();
    assert!(killed.expect("scancel").success());
    slurm.wait("the others are done", || slurm.is_done(&job));
    // Nobody takes seven parts and a half for the whole.
    let output = duet(&merge);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(&format!("part-{KILLED}.json: no whole result")), "{said}");

    let again = slurm.submit(&KILLED.to_string());
    slurm.wait("the part is done", || slurm.is_done(&again));
    let merged = duet(&merge);
    let whole = duet(&["check", "src", "--format=json"]);
    assert_eq!(merged.status.code(), whole.status.code(), "{merged:?}");
    assert_eq!(whole.status.code(), Some(1), "some kernels race");
    let read =
        |output: &Output| without_times(serde_json::from_slice(&output.stdout).expect("JSON"));
    assert_eq!(read(&merged), read(&whole));
    assert_eq!(read(&merged)["files"].as_array().map(Vec::len), Some(12));
}
