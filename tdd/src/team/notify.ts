import { spawn } from 'node:child_process'
import { isOnPath } from '../programs/on-path.ts'

/** A message for the user, who may be looking elsewhere while the assistant works. */
export interface Notification {
  readonly title: string
  readonly body: string
}

/** Shows a desktop notification, without waiting for it; does nothing on a system without a notification program. */
export function notify({ title, body }: Notification, env: NodeJS.ProcessEnv = process.env): void {
  const [program, ...args] = desktopCommand(title, oneLine(body))
  if (program === undefined || !isOnPath(program, env)) return
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true, env })
  child.on('error', () => {})
  child.unref()
}

function desktopCommand(title: string, body: string): string[] {
  switch (process.platform) {
    case 'darwin':
      return [
        'osascript',
        '-e',
        `display notification ${JSON.stringify(body)} with title ${JSON.stringify(title)}`,
      ]
    case 'linux':
      return ['notify-send', '--app-name=tutti-tdd', '--', title, body]
    default:
      return []
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 300)
}
