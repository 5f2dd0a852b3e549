import { z } from 'zod';

/** The address that people open, without a final slash. The dashboard and the links of invitations have the same one. */
export const dashboardUrlVariable = z
  .string()
  .regex(/^https?:\/\/[^\s/?#@\\]+\/?$/, {
    error: 'must be an address without a path, such as https://dashboard.example.com',
  })
  .transform((url) => url.replace(/\/$/, ''));
