import { ActionIcon, Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useRef } from 'react'
import { describeProblem } from '../../../../parts/describe-problem.ts'
import type { Json } from '../../document/json.ts'
import { entryTitleOf } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import { CompletingInput } from './CompletingInput.tsx'
import { Fieldset } from './Fieldset.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { useFocusRequest } from './use-focus-request.ts'
import { usePathCompletions } from './use-path-completions.ts'

/** A list of paths, each completed. */
export function PathsField(props: FieldProps) {
  const { field, path } = props
  const { value, change, label, description, error, problems } = useField(props)
  const completions = usePathCompletions([...path, 0])
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  const paths = Array.isArray(value) ? (value as readonly Json[]).map(String) : []
  const put = (wanted: readonly string[]) => change(wanted.length === 0 ? undefined : wanted)
  const title = entryTitleOf(field.name)
  const isOwn = problems.some((it) => it.path === pathText(path))

  return (
    <Fieldset ref={root} label={label} description={description} error={isOwn ? error : undefined}>
      {paths.map((text, index) => {
        const place = pathText([...path, index])
        const problem = problems.find((it) => it.path === place && it.severity === 'error')
        const name = `${title} ${index + 1}`
        return (
          <div key={place} data-path={place} className={styles['row']}>
            <CompletingInput
              name={name}
              value={text}
              error={problem && describeProblem(problem)}
              completions={completions}
              onChange={(wanted) => put(paths.toSpliced(index, 1, wanted))}
            />
            <ActionIcon
              size={24}
              aria-label={`Remove ${name}`}
              title={`Remove ${name}`}
              onClick={() => {
                requestFocus('[data-part="add"]')
                put(paths.toSpliced(index, 1))
              }}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      <Button
        size="compact-sm"
        variant="default"
        data-part="add"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          requestFocus(`[data-path="${CSS.escape(pathText([...path, paths.length]))}"] input`)
          put([...paths, ''])
        }}
      >
        Add {title.toLowerCase()}
      </Button>
    </Fieldset>
  )
}
