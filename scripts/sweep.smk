# A comparison of schedulers on many machines: `bench --plan` says what to run, `bench --collect` makes the page of it.
#
#   snakemake -s scripts/sweep.smk --cores 2 --config args="--preset medium --sched lrr,gtlo --kernels all" out=sweep
#
# On a cluster the same with a profile, which says how jobs get there; the directory of `out`, and a cache of simulators
# (HEDDLE_CACHE) that spares each machine the building, are on storage that all of them share:
#
#   Slurm        --executor slurm --jobs 100 --default-resources slurm_partition=NAME mem_mb=2000 runtime=60
#                (pip install snakemake-executor-plugin-slurm)
#   Kubernetes   --executor kubernetes --container-image IMAGE --jobs 100 --default-storage-provider s3
#                --default-storage-prefix s3://BUCKET
#                (pip install snakemake-executor-plugin-kubernetes snakemake-storage-plugin-s3); IMAGE has bench on its
#                PATH, and Verilator with a C++ compiler
#
# Options, each as --config NAME=VALUE:
#   args    what bench is to compare; needed
#   out     the directory for runs, tables and page: sweep unless told
#   bench   the program, if it is not on the PATH
#
# A run that fails is on the page and makes the exit status 1; the others go on. What is there already is not run again.
import hashlib
import re
import shlex
import subprocess
from pathlib import Path

if "args" not in config:
    raise WorkflowError("say what to compare: --config args=\"--sched lrr,gtlo --kernels all\"")
ARGS = shlex.split(str(config["args"]))
OUT = str(config.get("out", "sweep"))
BENCH = str(config.get("bench", "bench"))


def plan():
    """The command of each run, by the directory that it writes; asked once, as every job reads this file again."""
    words = [*ARGS, "--plan", "--out", OUT]
    kept = Path(OUT) / f"plan-{hashlib.sha256(repr(words).encode()).hexdigest()[:16]}.txt"
    if not kept.exists():
        said = subprocess.run([BENCH, *words], stdout=subprocess.PIPE, text=True)
        if said.returncode != 0:
            raise WorkflowError("bench cannot plan this; it has said why")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(said.stdout)
    lines = kept.read_text().splitlines()
    # The last word is the run's directory.
    return {Path(shlex.split(line)[-1]).name: line.removeprefix("bench ") for line in lines}


def baseline():
    """What bench was told of it, which the page needs too."""
    words = [word for argument in ARGS for word in argument.split("=", 1)]
    return " ".join(shlex.quote(word) for word in words[words.index("--baseline") :][:2]) if "--baseline" in words else ""


COMMANDS = plan()


localrules: collect


rule collect:
    input:
        expand(OUT + "/{job}/sweep.json", job=COMMANDS),
    # No output that would go if a run has failed: the page is to stay.
    output:
        touch(OUT + "/collected"),
    params:
        bench=shlex.quote(BENCH),
        out=shlex.quote(OUT),
        baseline=baseline(),
    shell:
        "{params.bench} --collect {params.out} {params.baseline}"


rule run:
    output:
        OUT + "/{job}/sweep.json",
    wildcard_constraints:
        job="|".join(map(re.escape, COMMANDS)),
    params:
        bench=shlex.quote(BENCH),
        command=lambda wildcards: COMMANDS[wildcards.job],
    # A run that fails has left what there is to tell of it, which the last step tells.
    shell:
        "{params.bench} {params.command} > /dev/null || test -s {output:q}"
