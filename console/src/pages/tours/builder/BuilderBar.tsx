import { Button } from '@mantine/core'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { UndoButtons } from '../../../editing/UndoButtons.tsx'
import { Status, type Tone } from '../../../parts/Status.tsx'
import type { SaveState } from './document/autosave.ts'
import type { Editing } from './use-editor.ts'

/** Whether visitors see the tour, and whether what is here is saved. */
export function BuilderState({ editor, state }: Editing) {
  const { isPublished } = state.document
  return (
    <>
      <Status tone={isPublished ? 'good' : 'idle'} word={isPublished ? 'Published' : 'Draft'} />
      <SaveStatus save={state.save} onRetry={editor.hurry} />
    </>
  )
}

interface BuilderWaysProps extends Editing {
  readonly tour: string
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onPublish: () => void
}

/** The actions of the whole tour. */
export function BuilderWays({ editor, state, tour, onUndo, onRedo, onPublish }: BuilderWaysProps) {
  const { document } = state
  const preview = `/admin/structure/recipe-onboarding/tours/${tour}/preview`
  const hasNothing = document.steps.length === 0
  return (
    <>
      <UndoButtons undoes={state.undoes} redoes={state.redoes} onUndo={onUndo} onRedo={onRedo} />
      <Button
        size="compact-sm"
        variant="default"
        component="a"
        href={preview}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        onClick={(click) => {
          if (click.ctrlKey || click.metaKey || click.shiftKey) return
          click.preventDefault()
          // It plays what is saved. A browser asks by itself before it leaves what could not be.
          void editor.settled().then(() => window.location.assign(preview))
        }}
      >
        Preview
      </Button>
      <Button
        size="compact-sm"
        variant={document.isPublished ? 'default' : 'filled'}
        aria-disabled={hasNothing}
        title={hasNothing ? 'Add a step before publishing' : undefined}
        onClick={hasNothing ? undefined : onPublish}
      >
        {document.isPublished ? 'Unpublish' : 'Publish'}
      </Button>
    </>
  )
}

const told: Readonly<Record<SaveState['name'], { readonly tone: Tone; readonly word: string }>> = {
  saved: { tone: 'good', word: 'Saved' },
  waiting: { tone: 'busy', word: 'Saving' },
  saving: { tone: 'busy', word: 'Saving' },
  refused: { tone: 'bad', word: 'Not saved' },
  failed: { tone: 'bad', word: 'Not saved' },
  conflict: { tone: 'warn', word: 'Not saved' },
}

/** Whether the platform has what is shown here. */
function SaveStatus({ save, onRetry }: { save: SaveState; onRetry: () => void }) {
  const { tone, word } = told[save.name]
  return (
    <>
      <span data-save={save.name}>
        <Status tone={tone} word={word} />
      </span>
      {save.name === 'failed' ? (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Retry saving
        </Button>
      ) : null}
    </>
  )
}
