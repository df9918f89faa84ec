import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { createRedactor, type Redactor } from './redactor.ts'

export type { Logger } from 'pino'

export interface LoggerOptions {
  readonly level: LevelWithSilent
  /** `auto` is pretty on a terminal and JSON everywhere else. */
  readonly format: 'auto' | 'json' | 'pretty'
  /** Where lines go instead of standard output. Called synchronously, so nothing is lost when the process ends. */
  readonly destination?: DestinationStream & { readonly isTTY?: boolean }
}

/** Makes the process's logger. Whatever is logged through it or its children passes the redactor first. */
export function createLogger(options: LoggerOptions): Logger {
  const terminal =
    options.destination === undefined ? process.stdout.isTTY : options.destination.isTTY === true
  const pretty = options.format === 'pretty' || (options.format === 'auto' && terminal)
  const output = options.destination ?? pino.destination({ fd: 1, sync: true })
  const redactor = createRedactor()

  const log = pino(
    {
      level: options.level,
      base: pretty ? null : { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino hands over each field, binding and message after its serializer ran: the last moment before it is text.
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
            // A getter of a logged object threw. Whoever logs must not fail for it.
            method.call(this, { err: error }, 'a log line could not be written')
          }
        },
      },
    },
    pretty ? prettyDestination(output, terminal) : output,
  )
  guardBindings(log, redactor)
  return log
}

/** Objects given for `%o` would be written into the message without passing by the redactor. */
function redactArguments<Arguments extends unknown[]>(args: Arguments, redactor: Redactor): Arguments {
  for (let index = 1; index < args.length; index += 1) {
    if (typeof args[index] === 'object') args[index] = redactor.redactValue(args[index])
  }
  return args
}

/** pino runs no formatter on the bindings of a child, so a secret's name there is judged here. Children inherit both methods. */
function guardBindings(log: Logger, redactor: Redactor): void {
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

/** Formats in this very process: no thread and no stream in between that could keep the last lines of a crash. */
function prettyDestination(output: DestinationStream, colorize: boolean): DestinationStream {
  const format = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    // The message of a request says all of these; the JSON format keeps them apart for machines.
    ignore: 'pid,hostname,request,method,route,status,ms,trace',
  })
  return {
    write(line) {
      output.write(format(line))
    },
  }
}
