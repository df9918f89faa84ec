import type { Kind } from '../kind.ts'

const path = '/v1/chat/completions'
const bodyBytes = 8 * 1024 * 1024
const chat = (content: string) => ({ model: 'bench', messages: [{ role: 'user', content }] })

/** Chat completions with bodies of 8 MiB; a normal account asks a short question. */
export const modelBodies: Kind = {
  name: 'model bodies',
  async prepare({ addAccount }) {
    const account = await addAccount()
    return {
      abuse: [{ path, body: chat('x'.repeat(bodyBytes)), loops: 4 }],
      operations: [
        async ({ call }) => {
          await (await call(account, path, chat('Why is the sky blue?'))).text()
        },
      ],
    }
  },
}
