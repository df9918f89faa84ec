import { Button } from '@mantine/core'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { useRef, useState } from 'react'
import styles from './FileDrop.module.css'

interface FileDropProps {
  readonly label: string
  /** What can be chosen, for the dialog of the browser. */
  readonly accept: string
  readonly about: string
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

/** Takes a file that is chosen or dropped. The button does all that dropping does. */
export function FileDrop({ label, accept, about, chosen, onFile }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={styles['drop']}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file !== undefined) onFile(file)
      }}
    >
      <IconFileImport size={24} stroke={1.5} aria-hidden />
      <p className={styles['name']}>{chosen ?? label}</p>
      <p className={styles['about']}>{about}</p>
      <Button size="compact-sm" variant="default" data-autofocus onClick={() => input.current?.click()}>
        {chosen === undefined ? 'Choose a file' : 'Choose another file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file again is a new choice: somebody may have mended it.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </div>
  )
}
