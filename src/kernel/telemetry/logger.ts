import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { createRedactor, type Redactor } from './redactor.ts'

export type { Logger } from 'pino'

interface LoggerOptions {
  readonly level: LevelWithSilent
  /** `auto` is pretty on a terminal and JSON everywhere else. */
  readonly format: 'auto' | 'json' | 'pretty'
  /** Tells the lines of several processes with one output apart. */
  readonly process?: string | undefined
  /** Destination instead of standard output. Written synchronously, so that no line is lost when the process ends. */
  readonly destination?: DestinationStream & { readonly isTTY?: boolean }
}

/** Creates the logger of the process. The logger and its children redact every entry. Throws for an unknown level. */
export function createLogger(options: LoggerOptions): Logger {
  const terminal =
    options.destination === undefined ? process.stdout.isTTY : options.destination.isTTY === true
  const pretty = options.format === 'pretty' || (options.format === 'auto' && terminal)
  const output = options.destination ?? pino.destination({ fd: 1, sync: true })
  const redactor = createRedactor()
  const part = options.process === undefined ? {} : { process: options.process }

  const log = pino(
    {
      level: options.level,
      base: pretty ? part : { pid: process.pid, ...part },
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino calls this for each field, binding and message after its serializer, just before it becomes text.
      redact: { paths: ['*'], censor: (value: unknown) => redactor.redactValue(value) },
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactor.redactFields(fields),
      },
      hooks: {
        logMethod(args, method) {
          try {
            method.apply(this, redactArguments(args, redactor))
          } catch (error) {
            // A getter of a logged object threw. Logging must not fail the caller.
            method.call(this, { err: error }, 'could not write a log line')
          }
        },
      },
    },
    pretty ? prettyDestination(output, terminal) : output,
  )
  redactBindings(log, redactor)
  return log
}

/** Objects for `%o` would be written into the message without being redacted. */
function redactArguments<Arguments extends unknown[]>(args: Arguments, redactor: Redactor): Arguments {
  for (let index = 1; index < args.length; index += 1) {
    if (typeof args[index] === 'object') args[index] = redactor.redactValue(args[index])
  }
  return args
}

/** pino runs no formatter on the bindings of a child, so they are redacted by name here. Children inherit both methods. */
function redactBindings(log: Logger, redactor: Redactor): void {
  const plain: Logger = Object.getPrototypeOf(log)
  Object.defineProperties(log, {
    child: {
      value(this: Logger, ...[bindings, ...rest]: Parameters<Logger['child']>) {
        return plain.child.call(this, redactor.redactFields(bindings), ...rest)
      },
    },
    setBindings: {
      value(this: Logger, bindings: Record<string, unknown>) {
        plain.setBindings.call(this, redactor.redactFields(bindings))
      },
    },
  })
}

/** Formats in this thread and without a stream in between, so that the last lines of a crash are not lost. */
function prettyDestination(output: DestinationStream, colorize: boolean): DestinationStream {
  const format = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    // The message of a request contains these; the JSON format has them as separate fields.
    ignore: 'pid,hostname,request,method,route,status,ms,trace',
  })
  return {
    write(line) {
      output.write(format(line))
    },
  }
}
