import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo, useContext } from 'react'
import { Status } from '../../../parts/Status.tsx'
import { describeStepType, stepWords } from '../../executions/execution-words.ts'
import { countSteps } from '../document/count-steps.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { isContainer } from '../document/step-kinds.ts'
import { StepIcon } from '../palette/StepIcon.tsx'
import { errorBranch, plainHandle } from './branches.ts'
import { CanvasActionsContext } from './canvas-actions.ts'
import { describeProblems, isSameShown, type StepNodeData, type StepNodeType } from './draw-nodes.ts'
import { hasErrorBranch } from './node-shape.ts'
import styles from './StepNode.module.css'
import { describeTried } from './tried-words.ts'

type Shown = Pick<NodeProps<StepNodeType>, 'data' | 'selected'>

/** A step on the canvas. It renders again only when its visible data changes. */
export const StepNode = memo(function StepNode({ data, selected }: Shown) {
  const { step, branches, isDormant, isLast } = data
  return (
    // `nokey`: key presses inside a node go to its controls, and Shift-click selects the node instead of starting a
    // selection box.
    <div
      className={`${styles['node']} nokey`}
      data-selected={selected}
      data-demand={isDormant}
      data-state={data.tried?.state}
      data-bad={data.errors > 0}
    >
      <span className={styles['head']}>
        <StepIcon type={step.type} />
        <span className={styles['label']} title={nameOf(step)}>
          {nameOf(step)}
        </span>
        <Problems {...data} />
      </span>
      <About {...data} />
      {isContainer(step) ? <Inside step={step} /> : null}
      {branches.map(({ handle, label, side }) => (
        <span key={handle} className={styles['branch']} data-side={side}>
          <span className={styles['choice']} title={label}>
            {label}
          </span>
          <Handle
            id={handle}
            type="source"
            position={side === 'left' ? Position.Left : Position.Right}
            className={styles['handle'] ?? ''}
            title={
              handle === errorBranch.handle
                ? 'Drag to the step that runs when this one fails'
                : `Drag to the step that runs when ${label}`
            }
          />
        </span>
      ))}
      <Handle
        id={plainHandle}
        type="source"
        position={Position.Bottom}
        className={styles['handle'] ?? ''}
        title="Drag to the next step"
      />
      {hasErrorBranch(step) ? null : (
        <Handle
          id={errorBranch.handle}
          type="source"
          position={Position.Right}
          className={`${styles['handle']} ${styles['onError']}`}
          title="Drag to the step that runs when this one fails"
        />
      )}
      <Handle
        id="before"
        type="target"
        position={Position.Top}
        isConnectableStart={false}
        className={styles['cover'] ?? ''}
      />
      <AddAfter id={step.id} name={nameOf(step)} isLast={isLast} />
    </div>
  )
}, looksSame)

function looksSame(left: Shown, right: Shown): boolean {
  return left.selected === right.selected && isSameShown(left.data, right.data)
}

function Problems({ errors, warnings }: Pick<StepNodeData, 'errors' | 'warnings'>) {
  if (errors + warnings === 0) return null
  const words = describeProblems({ errors, warnings }).join(', ')
  return <Status tone={errors > 0 ? 'bad' : 'warn'} word={String(errors + warnings)} title={words} />
}

/** The step type; after a test run, its state and output. */
function About({ step, isDormant, tried }: StepNodeData) {
  if (tried !== undefined) {
    return (
      <span className={styles['about']}>
        <Status {...stepWords[tried.state]} />
        <span className={styles['output']} title={describeTried(tried)}>
          {describeTried(tried)}
        </span>
      </span>
    )
  }
  return (
    <span className={styles['about']}>
      <span>{isDormant ? `${describeStepType(step.type)}, when added` : describeStepType(step.type)}</span>
      <span className={styles['id']} title={step.id}>
        {step.id === nameOf(step) ? null : step.id}
      </span>
    </span>
  )
}

/** The steps of a container. */
function Inside({ step }: { step: DraftStep }) {
  const actions = useContext(CanvasActionsContext)
  return (
    <span className={styles['inside']}>
      <span>{countSteps(step)}</span>
      <button
        type="button"
        className={`${styles['open']} nodrag nopan`}
        aria-label={`Open steps of ${nameOf(step)}`}
        onClick={(event) => {
          event.stopPropagation()
          actions?.open(step.id)
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        Open steps
        <IconChevronRight size={14} aria-hidden />
      </button>
    </span>
  )
}

interface AddAfterProps {
  readonly id: string
  readonly name: string
  readonly isLast: boolean
}

/** The button at the end of a step that adds the next one. */
function AddAfter({ id, name, isLast }: AddAfterProps) {
  const actions = useContext(CanvasActionsContext)
  return (
    <button
      type="button"
      className={`${styles['add']} nodrag nopan`}
      data-last={isLast}
      aria-label={`Add a step after ${name}`}
      title="Add a step after this one"
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation()
        actions?.addAfter(id, event.currentTarget)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconPlus size={14} aria-hidden />
    </button>
  )
}
