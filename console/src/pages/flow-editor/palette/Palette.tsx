import { useMediaQuery } from '@mantine/hooks'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import { type StepKind, stepKinds } from '../document/step-kinds.ts'
import { useStepActions } from '../list/step-actions.ts'
import { useEditing } from '../use-flow-editor.ts'
import { AgentChoice } from './AgentChoice.tsx'
import { Flyout } from './Flyout.tsx'
import { KindChoice } from './KindChoice.tsx'
import { KindList } from './KindList.tsx'
import styles from './Palette.module.css'

const atOnce = { getInitialValueInEffect: false }

/** The step palette: with names, as icons, or behind one button, by screen width. */
export function Palette() {
  const fitsNames = useMediaQuery('(min-width: 1200px)', undefined, atOnce)
  const fitsIcons = useMediaQuery('(min-width: 1000px)', undefined, atOnce)
  const { editor } = useEditing()
  const { add } = useStepActions()
  const choose = (kind: StepKind) => {
    const [only, ...others] = editor.read().selected
    add(kind, { after: others.length === 0 ? only : undefined })
  }
  return (
    <section className={styles['palette']} aria-label="Step palette" data-names={fitsNames}>
      {fitsNames ? (
        <>
          <h2>Add step</h2>
          <KindChoice onChoose={choose} />
        </>
      ) : fitsIcons ? (
        <>
          <KindList label="Step types" kinds={stepKinds} onChoose={choose} isNarrow />
          <Flyout
            aria-label="Agents"
            icon={IconRobot}
            className={styles['open']}
            position="right-start"
            renderContent={(close) => (
              <AgentChoice
                onChoose={(kind) => {
                  close()
                  choose(kind)
                }}
              />
            )}
          />
        </>
      ) : (
        <Flyout
          aria-label="Add step"
          icon={IconPlus}
          className={styles['open']}
          position="right-start"
          renderContent={(close) => (
            <KindChoice
              onChoose={(kind) => {
                close()
                choose(kind)
              }}
            />
          )}
        />
      )}
    </section>
  )
}
