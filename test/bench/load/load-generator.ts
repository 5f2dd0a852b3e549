import { answerOrders } from './answer-orders.ts';
import { runLoad } from './run-load.ts';

// A separate process, the same for every measured system.
answerOrders(runLoad);
