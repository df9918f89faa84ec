import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useEffect, useRef } from 'react'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { Exported } from './export-calls.ts'
import styles from './ReadyFile.module.css'

/** The file, ready to be fetched. The focus goes to it, so that who hears the page knows. */
export function ReadyFile({ made: { filename, download_url, expires_at, recipe_id } }: { made: Exported }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  // The platform may know itself by another name than the one it is open under here.
  const { pathname } = new URL(download_url)
  return (
    <div className={styles['ready']} role="status">
      <div>
        <p className={styles['name']}>{filename} is ready.</p>
        <p className={styles['about']}>
          {recipe_id === null ? null : <>The recipe {recipe_id} is up to date. </>}
          The link expires <RelativeTime at={expires_at} />.
        </p>
      </div>
      <Button
        size="sm"
        leftSection={<IconDownload size={16} aria-hidden />}
        renderRoot={(props) => <a {...props} ref={link} href={pathname} download={filename} />}
      >
        Download
      </Button>
    </div>
  )
}
