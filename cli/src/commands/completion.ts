import { Argument, Command } from 'commander';
import { describeCommands } from '../completion/describe-commands.ts';
import { bashScript, fishScript, zshScript } from '../completion/shell-scripts.ts';
import type { Io } from '../io.ts';
import { examples } from './options.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** @param program the program that the script completes */
export function completionCommand(io: Io, program: Command): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      examples(
        'source <(jobs-delete completion bash)      # in ~/.bashrc',
        'source <(jobs-delete completion zsh)       # in ~/.zshrc, after compinit',
        'jobs-delete completion fish | source       # in ~/.config/fish/config.fish',
      ),
    )
    .action((shell: keyof typeof scripts) => {
      io.stdout.write(scripts[shell](describeCommands(program)));
    });
}
