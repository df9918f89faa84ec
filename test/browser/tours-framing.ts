import type { Frame, Page } from 'playwright-core'
import type { PlayerMessage } from '../../player/src/protocol.ts'
import { type ToursUnderTest, toursPath } from './tours-under-test.ts'

interface Builder extends AsyncDisposable {
  readonly page: Page
  readonly frame: Frame
  readonly complaints: readonly string[]
  say(message: object): Promise<void>
  /** The next message of this type; earlier ones are dropped. */
  hear<Type extends PlayerMessage['type']>(type: Type): Promise<Extract<PlayerMessage, { type: Type }>>
}

/**
 * Frames a page of a site like a builder. By default the frame is in the builder's page without its application, and the
 * test acts as the builder.
 */
export async function frameSite(
  tours: ToursUnderTest,
  siteUrl: string,
  around = `${tours.platform.url}${toursPath}/any/builder`,
): Promise<Builder> {
  const visitor = await tours.visit('about:blank')
  const { page, complaints } = visitor
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto(around)
  await page.evaluate(`
    window.heard = []
    window.addEventListener('message', ({ data }) => {
      if (data.channel !== 'tutti-tours') return
      window.heard.push(data)
      if (data.type === 'ready') window.say({ type: 'hello' })
    })
    window.say = (message) =>
      document.querySelector('iframe').contentWindow.postMessage({ channel: 'tutti-tours', version: 1, ...message }, '*')
    const frame = document.createElement('iframe')
    frame.width = 900
    frame.height = 600
    frame.src = '${siteUrl}'
    document.body.replaceChildren(frame)
    new Promise((loaded) => frame.addEventListener('load', () => loaded()))
  `)
  const frame = page.frames()[1]
  if (frame === undefined) throw new Error('there is no frame')
  return {
    page,
    frame,
    complaints,
    say: (message) => page.evaluate(`window.say(${JSON.stringify(message)})`),
    hear: (type) =>
      page.evaluate(`new Promise((done) => {
        const look = () => {
          const index = window.heard.findIndex(({ type }) => type === '${type}')
          if (index < 0) setTimeout(look, 20)
          else done(window.heard.splice(0, index + 1).at(-1))
        }
        look()
      })`),
    [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose](),
  }
}
