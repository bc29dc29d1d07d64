import { runFake } from '../kit/run-fake.ts'
import { traccarOf } from './traccar.ts'

runFake(traccarOf)
