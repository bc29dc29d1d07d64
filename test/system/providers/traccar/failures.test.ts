import { failureSuite } from '../../../support/providers/failure-suite.ts'
import { traccar } from '../../../support/providers/traccar-subject.ts'

failureSuite(traccar)
