import { test } from 'vitest'
import { expectProblemsNamed } from './doctor-problems.ts'

test('doctor ends when the program on a port says nothing', () => expectProblemsNamed({ silent: true }))
