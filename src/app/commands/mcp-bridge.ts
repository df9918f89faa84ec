import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

interface BridgeOptions {
  readonly url: string
  readonly authorization: string
}

/**
 * Forwards messages unchanged between the MCP client that started this process and a platform, so that both agree on the revision of
 * the protocol. Resolves when the client closes standard input.
 *
 * | event                                | action                                                                     |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | message of the client                | sent to the platform in an HTTP request of its own                         |
 * | message of the platform              | sent to the client                                                         |
 * | the client cancels a request         | its HTTP request is aborted, and the cancellation is forwarded             |
 * | a request cannot be delivered        | the client gets an error with the reason                                   |
 * | the response breaks off              | the client gets an error with the reason                                   |
 */
export async function bridge({ url, authorization }: BridgeOptions): Promise<void> {
  const client = new StdioServerTransport()
  const platform = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization } },
  })
  /** Requests without a response yet. */
  const open = new Map<RequestId, AbortController>()
  const closed = Promise.withResolvers<void>()

  async function refuse(id: RequestId, error: unknown): Promise<void> {
    if (!open.delete(id)) return
    const message = explainFailure(error, url)
    console.error(`tutti: ${message}`)
    await client.send({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
  }

  async function ask(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const call = new AbortController()
    open.set(id, call)
    try {
      await platform.send(message, {
        requestSignal: call.signal,
        onRequestStreamEnd: () => void refuse(id, new Error('the connection was closed')),
      })
    } catch (error) {
      if (!call.signal.aborted) await refuse(id, error)
    }
  }

  function fromClient(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      void ask(message, message.id)
      return
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'] as RequestId
      open.get(id)?.abort()
      open.delete(id)
    }
    platform.send(message).catch((error: unknown) => console.error(`tutti: ${explainFailure(error, url)}`))
  }

  function fromPlatform(message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) open.delete(message.id)
    }
    // All later requests carry the protocol version of the handshake in a header.
    if (isJSONRPCResultResponse(message) && typeof message.result['protocolVersion'] === 'string') {
      platform.setProtocolVersion(message.result['protocolVersion'])
    }
    void client.send(message)
  }

  Object.assign(client, { onmessage: fromClient, onclose: () => closed.resolve() })
  Object.assign(platform, { onmessage: fromPlatform })
  await platform.start()
  await client.start()
  await closed.promise
  for (const call of open.values()) call.abort()
  await platform.close()
}

/** Why a message was not delivered or got no response, for the person who configured the client. */
function explainFailure(error: unknown, url: string): string {
  const status = error instanceof SdkHttpError ? error.status : undefined
  if (status === undefined) {
    return `There is no answer at ${url}. Is the platform running? Say where it is with TUTTI_URL or --url.`
  }
  const message = messageIn(error instanceof SdkHttpError ? error.data.text : undefined)
  if (status === 401) {
    return `The platform does not accept the API key: ${message ?? 'status 401'} Set TUTTI_API_KEY to one that holds.`
  }
  if (status === 404) return `There is no MCP server at ${url}/mcp. Is this the address of a platform?`
  return message ?? `The platform answered with status ${status}.`
}

/** The message of the JSON-RPC error in a response. */
function messageIn(body: unknown): string | undefined {
  try {
    const { error } = JSON.parse(String(body)) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : undefined
  } catch {
    return undefined
  }
}
