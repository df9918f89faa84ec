import { Button } from '@mantine/core'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { UndoButtons } from '../../../editing/UndoButtons.tsx'
import { Status } from '../../../parts/Status.tsx'
import { SaveStatus } from './SaveStatus.tsx'
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

/** What can be done with the tour as a whole. */
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
        title={hasNothing ? 'A tour needs a step before it can be published' : undefined}
        onClick={hasNothing ? undefined : onPublish}
      >
        {document.isPublished ? 'Unpublish' : 'Publish'}
      </Button>
    </>
  )
}
