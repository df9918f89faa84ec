import { Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { CompletingInput } from '../../parts/CompletingInput.tsx'
import { Section } from '../../parts/Section.tsx'
import { isObject } from '../flow-editor/document/json.ts'
import { routesQuery } from '../model-routes/route-queries.ts'
import { describeRoute } from '../model-routes/route-words.ts'
import { anyModel, findWriters } from '../playground/catalogue.ts'
import { completionsOf } from '../playground/model-completions.ts'
import { modelsQuery } from '../playground/models-query.ts'
import styles from './AgentEditor.module.css'
import {
  JsonTextField,
  LongTextField,
  NumberField,
  TextField,
  useAgentField,
  WordsField,
} from './AgentFields.tsx'
import { agentIdFrom, schemaOfFields, textIn } from './agent-draft.ts'
import { useAgentEditing } from './agent-editing.ts'
import { OutputSchemaField } from './OutputSchemaField.tsx'
import { ParameterList } from './ParameterList.tsx'

const categories = [
  { value: 'content', label: 'Content' },
  { value: 'seo', label: 'Search engines' },
  { value: 'validation', label: 'Validation' },
  { value: 'transformation', label: 'Transformation' },
  { value: 'analysis', label: 'Analysis' },
]

/** The definition of an agent as a form. Fields that the form does not show stay as they are. */
export function AgentForm() {
  return (
    <div className={styles['form']}>
      <Section title="Agent">
        <div className={styles['inside']}>
          <NameFields />
          <LongTextField
            path={['description']}
            label="Description"
            description="What the agent does, for people who choose one."
            required
            minRows={2}
          />
          <CategoryField />
        </div>
      </Section>
      <Section title="Prompt">
        <div className={styles['inside']}>
          <ModelField />
          <PromptField />
          <LongTextField
            path={['system_prompt']}
            label="System prompt (optional)"
            description="Role and rules of the model, before the prompt."
            minRows={3}
          />
        </div>
      </Section>
      <Section title="Output">
        <div className={styles['inside']}>
          <OutputFields />
        </div>
      </Section>
      <Section title="Parameters">
        <div className={styles['inside']}>
          <ParameterList />
        </div>
      </Section>
      <AdvancedFields />
    </div>
  )
}

/** The name, and the ID of a new agent, which follows the name until it is typed. */
function NameFields() {
  const { draft, isNew, set, problemOf } = useAgentEditing()
  const [id, name] = [textIn(draft, 'id'), textIn(draft, 'label')]
  const [follows, setFollows] = useState(id === '' || id === agentIdFrom(name))
  return (
    <div className={styles['row']}>
      <TextInput
        data-autofocus
        label="Name"
        autoComplete="off"
        value={name}
        error={problemOf('label')}
        onChange={({ currentTarget }) => {
          set(['label'], currentTarget.value)
          if (isNew && follows) set(['id'], agentIdFrom(currentTarget.value))
        }}
      />
      <TextInput
        label="ID"
        autoComplete="off"
        spellCheck={false}
        readOnly={!isNew}
        value={id}
        error={problemOf('id')}
        onChange={({ currentTarget }) => {
          setFollows(false)
          set(['id'], currentTarget.value)
        }}
      />
    </div>
  )
}

function CategoryField() {
  const { value, error, change } = useAgentField(['category'])
  return (
    <NativeSelect
      label="Category"
      data={categories}
      error={error}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/** A model of the catalogue, a route, or one that is not configured yet. */
function ModelField() {
  const { value, error, change } = useAgentField(['ai_options', 'model'])
  const options = useAgentField(['ai_options'])
  const api = useApi()
  const { data: models = [] } = useQuery(modelsQuery(api))
  const { data: routes = [] } = useQuery(routesQuery(api))
  return (
    <CompletingInput
      label="Model"
      description="A step can override it."
      error={error}
      placeholder="Default: best available"
      value={typeof value === 'string' ? value : ''}
      completions={[
        { value: anyModel, about: 'best available' },
        ...routes.map((route) => ({ value: route.name, about: describeRoute(route) })),
        ...completionsOf(findWriters(models), { models, routes }),
      ]}
      onChange={(text) => {
        if (text !== '') return change(text)
        // Without a model the group may be empty, which is the same as none.
        const { model: _, ...others } = isObject(options.value) ? options.value : {}
        return options.change(Object.keys(others).length === 0 ? undefined : others)
      }}
    />
  )
}

function PromptField() {
  const { draft } = useAgentEditing()
  const { parameters, analysers } = draft
  const names = [
    'content',
    'instructions',
    ...(isObject(parameters) ? Object.keys(parameters) : []),
    ...(Array.isArray(analysers) ? analysers.flatMap(analyserNameIn) : []),
  ]
  return (
    <LongTextField
      path={['prompt']}
      label="Prompt"
      description={
        <>
          The task. Placeholders:{' '}
          {names.map((name, index) => (
            <span key={name}>
              {index === 0 ? null : ', '}
              <code>{`{{${name}}}`}</code>
            </span>
          ))}
          . The text to work on, <code>{'{{content}}'}</code>, is required.
        </>
      }
      minRows={10}
    />
  )
}

function analyserNameIn(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || !('analyser' in entry)) return []
  return typeof entry.analyser === 'string' ? [`analysis.${entry.analyser}`] : []
}

const formats = [
  { value: 'text', label: 'Text' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'html', label: 'HTML' },
  { value: 'json', label: 'JSON' },
]

function OutputFields() {
  const { draft, set, problemOf } = useAgentEditing()
  const { output_format: given, output_schema: schema } = draft
  const format = typeof given === 'string' ? given : schema === undefined ? 'text' : 'json'
  return (
    <>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="Output format"
        data={formats}
        value={format}
        onChange={(wanted) => {
          set(['output_format'], wanted)
          if (wanted !== 'json') {
            set(['output_schema'], undefined)
            set(['content_field'], undefined)
          } else if (schema === undefined) set(['output_schema'], firstSchema)
        }}
      />
      {problemOf('output_format') === undefined ? null : (
        <p className={styles['problem']}>{problemOf('output_format')}</p>
      )}
      {format === 'json' ? (
        <>
          <OutputSchemaField />
          <TextField
            path={['content_field']}
            label="Content field (optional)"
            description="The field that the next agent of a sequence works on."
          />
        </>
      ) : (
        <p className={styles['words']}>The output is a text. In a sequence, the next agent works on it.</p>
      )}
    </>
  )
}

const firstSchema = schemaOfFields([{ name: 'result', type: 'string', description: '', required: true }])

/** The fields that most agents leave at their defaults. */
function AdvancedFields() {
  return (
    <details className={styles['advanced']}>
      <summary>Advanced: limits, languages, checks, pricing</summary>
      <div className={styles['inside']}>
        <div className={styles['row']}>
          <NumberField path={['ai_options', 'temperature']} label="Temperature" placeholder="Default" />
          <NumberField path={['ai_options', 'max_tokens']} label="Max tokens" placeholder="Default" />
        </div>
        <div className={styles['row']}>
          <NumberField
            path={['configuration', 'max_input_length']}
            label="Max input"
            description="Characters; a longer input is refused."
            placeholder="100000"
          />
          <NumberField
            path={['configuration', 'timeout']}
            label="Timeout"
            description="Seconds of one attempt."
            placeholder="120"
          />
        </div>
        <div className={styles['row']}>
          <NumberField
            path={['configuration', 'retry_limit']}
            label="Retries"
            description="When the output does not match the schema or fails a check."
            placeholder="2"
          />
          <StreamingField />
        </div>
        <div className={styles['row']}>
          <WordsField
            path={['capabilities']}
            label="Capabilities"
            description="Recommendations use them. Separated by commas."
            placeholder="the category"
          />
          <WordsField
            path={['supported_languages']}
            label="Languages"
            description="Codes such as en, de; * is any."
            placeholder="*"
          />
        </div>
        <InputTypesField />
        <JsonTextField
          path={['analysers']}
          label="Analysers"
          description="Measurements before the model is called, such as [{&quot;analyser&quot;: &quot;readability&quot;}]."
        />
        <JsonTextField
          path={['checks']}
          label="Checks"
          description="Rules that the output must pass; the model is called again when it fails one."
        />
        <JsonTextField
          path={['analysis_output']}
          label="Output without a model"
          description="JSON or a text with {{analysis.…}}, used when no model is available."
        />
        <JsonTextField
          path={['conclusion']}
          label="Conclusion"
          description="The decision that is recorded, such as {&quot;decision&quot;: &quot;{{summary}}&quot;}."
        />
        <JsonTextField
          path={['pricing']}
          label="Pricing"
          description="The surcharge besides the model: base_cost, per_token, bulk_discount and enterprise_rate."
        />
      </div>
    </details>
  )
}

function StreamingField() {
  const { value, error, change } = useAgentField(['configuration', 'supports_streaming'])
  return (
    <Checkbox
      size="xs"
      label="Stream the text"
      description="Not for JSON, which is checked first."
      error={error}
      checked={value === true}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  )
}

const inputTypes = [
  { value: 'text', label: 'Text' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'html', label: 'HTML' },
  { value: 'json', label: 'JSON' },
]

function InputTypesField() {
  const { value, error, change } = useAgentField(['input_types'])
  const chosen = Array.isArray(value) ? value.map(String) : ['text', 'markdown', 'html']
  return (
    <Checkbox.Group label="Input formats" error={error} value={chosen} onChange={change}>
      <div className={styles['choices']}>
        {inputTypes.map((type) => (
          <Checkbox key={type.value} size="xs" value={type.value} label={type.label} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
