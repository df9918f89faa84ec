import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import { useId } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import formStyles from '../../parts/Form.module.css'
import styles from './AskPanel.module.css'
import type { AskSettings } from './ask-settings.ts'
import { findNamed } from './catalogue.ts'
import { ModelChoice } from './ModelChoice.tsx'
import { ModelFacts } from './ModelFacts.tsx'
import { modelsQuery } from './models-query.ts'
import { Settings } from './Settings.tsx'

interface AskPanelProps {
  /** Undefined while nobody knows which there are. */
  readonly model: string | undefined
  readonly onModel: (model: string) => void
  readonly settings: AskSettings
  readonly onSettings: (settings: AskSettings) => void
  readonly isRaw: boolean
  readonly onRaw: (isRaw: boolean) => void
  readonly problemOf: (field: string) => string | undefined
}

/** Who is asked, and how. On narrow screens the how is behind a button. */
export function AskPanel(props: AskPanelProps) {
  const { model, onModel, settings, onSettings, isRaw, onRaw, problemOf } = props
  const { data: models, failure, refetch } = useAnswer(modelsQuery(useApi()))
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  return (
    <div className={`${formStyles['form']} ${styles['panel']}`}>
      {models === undefined && failure !== null ? (
        <FailureNotice what="The models could not be read." error={failure} onRetry={() => void refetch()} />
      ) : (
        <ModelChoice models={models} model={model} onChange={onModel} error={problemOf('model')} />
      )}
      {model === undefined || models === undefined ? null : (
        <ModelFacts name={model} model={findNamed(model, models)} />
      )}
      <Button
        className={styles['toggle'] ?? ''}
        size="compact-sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {isOpen ? 'Hide settings' : 'Show settings'}
      </Button>
      <div id={id} className={styles['more']} data-open={isOpen}>
        <Settings
          settings={settings}
          onChange={onSettings}
          isRaw={isRaw}
          onRaw={onRaw}
          problemOf={problemOf}
        />
      </div>
    </div>
  )
}
