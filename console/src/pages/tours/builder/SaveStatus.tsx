import { Button } from '@mantine/core'
import { Status, type Tone } from '../../../parts/Status.tsx'
import type { SaveState } from './document/autosave.ts'

const told: Readonly<Record<SaveState['name'], { readonly tone: Tone; readonly word: string }>> = {
  saved: { tone: 'good', word: 'Saved' },
  waiting: { tone: 'busy', word: 'Saving' },
  saving: { tone: 'busy', word: 'Saving' },
  refused: { tone: 'bad', word: 'Not saved' },
  failed: { tone: 'bad', word: 'Not saved' },
  conflict: { tone: 'warn', word: 'Not saved' },
}

/** Whether the platform has what is shown here. */
export function SaveStatus({ save, onRetry }: { save: SaveState; onRetry: () => void }) {
  const { tone, word } = told[save.name]
  return (
    <>
      <span data-save={save.name}>
        <Status tone={tone} word={word} />
      </span>
      {save.name === 'failed' ? (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Save again
        </Button>
      ) : null}
    </>
  )
}
