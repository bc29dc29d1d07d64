import { runFake } from '../kit/run-fake.ts'
import { samsaraOf } from './fake.ts'

runFake(samsaraOf)
