import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { explainFailure } from './explain-failure.ts'

interface BridgeOptions {
  /** Where the platform is. */
  readonly url: string
  readonly authorization: string
}

/**
 * Carries messages between an MCP client that has started us and a platform, as they are: whatever revision they speak, they speak it
 * with each other. Resolves when the client has closed our standard input.
 *
 * | what                                 | then                                                                       |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | a message of the client              | goes to the platform, each in a request of its own                         |
 * | a message of the platform            | goes to the client                                                         |
 * | the client cancels a question        | its request is ended, and the platform is told for clients that wait there |
 * | a question that cannot be delivered  | is answered with an error that says why                                    |
 * | an answer that breaks off            | the same                                                                   |
 */
export async function bridge({ url, authorization }: BridgeOptions): Promise<void> {
  const client = new StdioServerTransport()
  const platform = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization } },
  })
  /** Questions without an answer yet. */
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
    // What was agreed in the handshake stands in the headers of everything that follows.
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
