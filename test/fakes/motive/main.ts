import { runFake } from '../kit/run-fake.ts'
import { motiveOf } from './fake.ts'

runFake(motiveOf)
