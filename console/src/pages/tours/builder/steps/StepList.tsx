import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import { type Count, elementStatusOf } from '../document/element-status.ts'
import type { Step } from '../document/tour-document.ts'
import type { EditorState } from '../document/tour-editor.ts'
import type { Picking } from '../use-picking.ts'
import { StepEditor } from './StepEditor.tsx'
import { StepItem } from './StepItem.tsx'
import styles from './StepList.module.css'
import type { StepActions } from './use-step-actions.ts'

interface StepListProps {
  readonly state: EditorState
  readonly actions: StepActions
  readonly picking: Picking
  readonly canPick: boolean
  readonly counts: ReadonlyMap<string, Count>
  readonly isHere: (step: Step) => boolean
  readonly openKey: string | undefined
  readonly onOpen: (key: string | undefined) => void
  readonly onShow: (selector: string | null) => void
}

/** The steps of the tour in their order; one of them is open. */
export function StepList(props: StepListProps) {
  const { state, actions, picking, canPick, counts, isHere, openKey, onOpen, onShow } = props
  const { steps, routes } = state.document

  const drop = (draggedKey: string, onto: number, edge: 'before' | 'after') => {
    const from = steps.findIndex(({ key }) => key === draggedKey)
    const dragged = steps[from]
    const gap = edge === 'before' ? onto : onto + 1
    if (dragged !== undefined) actions.move(dragged, gap > from ? gap - 1 : gap, 'open')
  }

  return (
    <section aria-labelledby="steps-heading">
      <div className={styles['heading']}>
        <h2 id="steps-heading">Steps</h2>
        <span className={styles['count']}>{steps.length}</span>
        <div className={styles['ways']}>
          <Button
            size="compact-sm"
            leftSection={<IconPointer size={14} aria-hidden />}
            aria-disabled={!canPick}
            aria-keyshortcuts="Control+E Meta+E"
            onClick={canPick ? () => picking.begin(undefined) : undefined}
          >
            Pick element
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            data-part="add"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={actions.add}
          >
            Add step
          </Button>
        </div>
      </div>
      {steps.length === 0 ? (
        <p className={styles['empty']}>
          No steps yet. Pick an element of the page, or add a step in the centre of the page.
        </p>
      ) : null}
      <ol className={styles['list']}>
        {steps.map((step, index) => {
          const elementStatus = elementStatusOf(step, { counts, isHere: isHere(step) })
          return (
            <StepItem
              key={step.key}
              step={step}
              index={index}
              total={steps.length}
              elementStatus={elementStatus}
              isRefused={state.refusals.has(step.key)}
              onToggle={() => onOpen(step.key === openKey ? undefined : step.key)}
              onMove={(to, part) => actions.move(step, to, part)}
              onDrop={(draggedKey, edge) => drop(draggedKey, index, edge)}
            >
              {step.key === openKey ? (
                <StepEditor
                  step={step}
                  elementStatus={elementStatus}
                  picked={candidatesFor(step, picking)}
                  canPick={canPick}
                  routes={routes}
                  refusal={state.refusals.get(step.key)}
                  isCleaned={isCleaned(step, state)}
                  onPick={() => picking.begin(step.key)}
                  onChange={(field, changes) => actions.change(step, field, changes)}
                  onShow={onShow}
                  onDuplicate={() => actions.duplicate(step)}
                  onDelete={() => actions.remove(step)}
                />
              ) : null}
            </StepItem>
          )
        })}
      </ol>
    </section>
  )
}

/** The picked selectors of a step, until its selector changes. */
function candidatesFor({ key, selector }: Step, { picked }: Picking) {
  const isIt = picked?.key === key && picked.candidates.some((it) => it.selector === selector)
  return isIt ? picked.candidates : undefined
}

function isCleaned({ key, body }: Step, { saved }: EditorState): boolean {
  const [sent, kept] = [saved.sent, saved.kept].map(({ steps }) => steps.find((it) => it.key === key)?.body)
  return sent === body && kept !== undefined && kept.trim() !== sent.trim()
}
