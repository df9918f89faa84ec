import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { PlatformOptions } from './find-platform.ts'
import { addPlatformOptions } from './remote/remote-command.ts'

/** An absolute path: a client may start the command in any folder. */
const launcher = fileURLToPath(new URL('../../../bin/tutti', import.meta.url))

/** `tutti mcp` */
export function addMcpCommand(program: Command): void {
  addPlatformOptions(
    program.command('mcp').description('Let an MCP client use a platform over standard input and output'),
  )
    .addHelpText(
      'after',
      `
For clients that start their servers as programs. Those that speak HTTP need
nothing but the address of the platform, with /mcp at its end.

Example for the configuration file of a client on this machine:
  {"mcpServers": {"tutti": {"command": ${JSON.stringify(launcher)}, "args": ["mcp"],
    "env": {"TUTTI_URL": "http://localhost:3000", "TUTTI_API_KEY": "tk_…"}}}}`,
    )
    .action(async (options: PlatformOptions) => {
      const [{ findPlatform }, { bridge }] = await Promise.all([
        import('./find-platform.ts'),
        import('./mcp-bridge.ts'),
      ])
      await bridge(await findPlatform(options))
    })
}
