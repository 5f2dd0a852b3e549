import { describe } from '@jest/globals';
import { createMemoryRateLimiter } from './rate-limiter.ts';
import { rateLimiterContract } from './contract/rate-limiter.contract.ts';

describe('the rate limiter in memory', () => rateLimiterContract(createMemoryRateLimiter));
