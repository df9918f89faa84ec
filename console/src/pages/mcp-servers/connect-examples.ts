/** The MCP client configuration for this server, in the common format. */
export interface ConnectExample {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly text: string
}

/** The key stays a placeholder, so that a real one is not pasted into the wrong window. */
const keyPlaceholder = 'tk_YOUR_API_KEY'

export function writeConnectExamples(origin: string): readonly ConnectExample[] {
  return [
    {
      id: 'http',
      title: 'HTTP clients',
      about: 'Requires the URL and an API key.',
      text: indent({
        mcpServers: {
          tutti: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: `Bearer ${keyPlaceholder}` },
          },
        },
      }),
    },
    {
      id: 'stdio',
      title: 'stdio clients',
      about:
        'For clients that support only stdio, on a machine with a checkout of Tutti. Set command to its path; npx tutti mcp --help prints this with the right path.',
      text: indent({
        mcpServers: {
          tutti: {
            command: '/PATH/TO/tutti/bin/tutti',
            args: ['mcp'],
            env: { TUTTI_URL: origin, TUTTI_API_KEY: keyPlaceholder },
          },
        },
      }),
    },
  ]
}

function indent(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
