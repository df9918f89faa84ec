import { Button } from '@mantine/core'
import type { Api } from '../api/api.ts'
import { recordRequests, writeCurl } from '../api/write-curl.ts'
import styles from './CopyAsCurl.module.css'
import { useCopy } from './use-copy.ts'

const words = { idle: 'Copy as curl', copied: 'Copied', failed: 'Could not copy' } as const

/** Copies the request of an action as a curl command, without sending it. */
export function CopyAsCurl({ act }: { act: (api: Api) => Promise<unknown> }) {
  const { outcome, copy } = useCopy(async () => {
    const requests = await recordRequests(window.location.origin, act)
    return requests.map(writeCurl).join('\n')
  })
  return (
    <Button size="sm" variant="subtle" className={styles['copy'] ?? ''} onClick={copy}>
      {words[outcome]}
    </Button>
  )
}
