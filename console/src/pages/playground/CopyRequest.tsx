import { Button } from '@mantine/core'
import { useCopy } from '../../parts/use-copy.ts'
import type { ChatRequest } from './chat-request.ts'
import { writeTerminalExample, writeTypeScript } from './write-example.ts'

/** The request that would be sent now, for a terminal or a program. */
export function CopyRequest({ request }: { request: ChatRequest }) {
  const { origin } = window.location
  return (
    <>
      <CopyAs what="curl" text={writeTerminalExample(request, origin)} />
      <CopyAs what="TypeScript" text={writeTypeScript(request, origin)} />
    </>
  )
}

function CopyAs({ what, text }: { what: string; text: string }) {
  const { outcome, copy } = useCopy(text)
  const label = { idle: `Copy as ${what}`, copied: 'Copied', failed: 'Could not copy' }[outcome]
  return (
    <Button size="compact-sm" variant="default" onClick={copy}>
      {label}
    </Button>
  )
}
