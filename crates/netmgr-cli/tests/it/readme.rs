//! The commands of README print what it shows.

use crate::support::{Run, program};

#[test]
fn the_commands_of_readme_print_what_it_shows() {
    let readme = include_str!("../../../../README.md");
    let blocks = readme.split("\n    $ netmgr ").skip(1);
    let mut count = 0;
    for block in blocks {
        let mut lines = block.lines();
        let arguments = shlex::split(lines.next().unwrap()).unwrap();
        let shown: Vec<&str> = lines.map_while(|line| line.strip_prefix("    ")).collect();
        let run = Run::of(&mut program(&arguments));
        assert_eq!(
            run.stdout.lines().collect::<Vec<_>>(),
            shown,
            "{arguments:?}: {run}"
        );
        count += 1;
    }
    assert_eq!(count, 3);
}
