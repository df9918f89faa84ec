/** What a client has to be told to use this platform, as most of them write it. */
export interface ConnectExample {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly text: string
}

/** The key stays a placeholder: nobody wants to paste one into the wrong window. */
const keyPlaceholder = 'tk_YOUR_API_KEY'

export function writeConnectExamples(origin: string): readonly ConnectExample[] {
  return [
    {
      id: 'http',
      title: 'Clients that speak HTTP',
      about: 'The address and a key are all they need.',
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
      title: 'Clients that start programs',
      about:
        'For clients that know standard input and output alone, on a machine with a checkout of Tutti. Put its path into command; npx tutti mcp --help, run there, prints this with the right one.',
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
