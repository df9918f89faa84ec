import type { Command } from 'commander'
import { pointToHelp } from '../command-options.ts'
import type { LoginOptions, LogoutOptions } from './login.ts'
import { endWithNotPossible, remote } from './remote-command.ts'

interface JsonOption {
  readonly json?: true
}

/** `tutti login`, `tutti logout` and `tutti profiles …` */
export function addAuthCommands(program: Command): void {
  program
    .command('login')
    .description('Sign in to a platform with an API key, and keep it for later commands')
    .option('--url <url>', 'address of the platform (default: TUTTI_URL, else this machine)')
    .option('--key <key>', 'the API key; without it you are asked, or it is read from standard input')
    .option('--profile <name>', 'name to keep it under, when you use several platforms', 'default')
    .option('--json', 'print the profile as JSON, without the key')
    .exitOverride(endWithNotPossible)
    .addHelpText(
      'after',
      `
You make API keys in the console, under API keys. The key is kept in
~/.config/tutti/credentials.json (or in XDG_CONFIG_HOME), readable for you alone.
In CI, set TUTTI_URL and TUTTI_API_KEY instead: no sign-in is needed.

Examples:
  npx tutti login --url https://tutti.example.com
  npx tutti login --url https://staging.example.com --profile staging
  pass show tutti | npx tutti login --url https://tutti.example.com`,
    )
    .action(
      remote(async (options: LoginOptions) => {
        const { login } = await import('./login.ts')
        return await login(options)
      }),
    )

  program
    .command('logout')
    .description('Forget the API key of a platform')
    .option('--profile <name>', 'the profile to forget (default: the current one)')
    .option('--all', 'forget all profiles')
    .option('--json', 'print the names of the forgotten profiles as JSON')
    .exitOverride(endWithNotPossible)
    .addHelpText(
      'after',
      `
The key itself still works until you delete it in the console.

Examples:
  npx tutti logout
  npx tutti logout --profile staging`,
    )
    .action(
      remote(async (options: LogoutOptions) => {
        const { logout } = await import('./login.ts')
        return await logout(options)
      }),
    )

  const profiles = program
    .command('profiles')
    .description('Platforms you signed in to: list them, choose the default')
    .exitOverride(endWithNotPossible)

  profiles
    .command('list')
    .description('List the platforms you signed in to; * marks the default')
    .option('--json', 'print them as JSON, without keys')
    .exitOverride(endWithNotPossible)
    .action(
      remote(async (options: JsonOption) => {
        const { listProfiles } = await import('./login.ts')
        return await listProfiles(options)
      }),
    )

  profiles
    .command('use')
    .description('Choose the platform that commands use by default')
    .argument('<name>', 'the name of the profile')
    .exitOverride(endWithNotPossible)
    .action(
      remote(async (name: string) => {
        const { chooseProfile } = await import('./login.ts')
        return await chooseProfile(name)
      }),
    )

  pointToHelp(profiles)
}
