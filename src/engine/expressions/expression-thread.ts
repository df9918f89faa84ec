import { parentPort } from 'node:worker_threads'
import { createCompiler, describeError } from './compile.ts'
import { createEnvironment } from './environment.ts'
import { type Evaluated, evaluateWith, type Variables } from './evaluate.ts'
import { formatHandlers } from './functions/parse.ts'
import { jsonValueOf } from './results.ts'
import { type Transformed, type TransformTask, transformValues } from './transform-values.ts'

/** A request to the thread; the response has the same kind of result. */
export type ThreadRequest =
  | { readonly kind: 'evaluate'; readonly source: string; readonly variables: Variables }
  | { readonly kind: 'transform'; readonly task: TransformTask; readonly variables: Variables }

export type ThreadResult = Evaluated | Transformed

const compile = createCompiler(createEnvironment(formatHandlers))

function evaluate(source: string, variables: Variables): Evaluated {
  const compiled = compile(source)
  if (compiled.kind === 'invalid') return { kind: 'failed', problem: compiled.problem }
  return evaluateWith(compiled.expression, variables)
}

function transform(task: TransformTask, variables: Variables): Transformed {
  try {
    const transformed = transformValues(task, variables, compile)
    return transformed.kind === 'failed'
      ? transformed
      : { ...transformed, value: jsonValueOf(transformed.value) }
  } catch (error) {
    return { kind: 'failed', problem: describeError(error) }
  }
}

parentPort?.on('message', (request: ThreadRequest) => {
  const result: ThreadResult =
    request.kind === 'evaluate'
      ? evaluate(request.source, request.variables)
      : transform(request.task, request.variables)
  parentPort?.postMessage(result, [])
})
