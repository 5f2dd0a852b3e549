// Original file: jobs/deleter/v1/deleter.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcceptDeletionsRequest as _jobs_deleter_v1_AcceptDeletionsRequest, AcceptDeletionsRequest__Output as _jobs_deleter_v1_AcceptDeletionsRequest__Output } from '../../../jobs/deleter/v1/AcceptDeletionsRequest.ts';
import type { AcceptDeletionsResponse as _jobs_deleter_v1_AcceptDeletionsResponse, AcceptDeletionsResponse__Output as _jobs_deleter_v1_AcceptDeletionsResponse__Output } from '../../../jobs/deleter/v1/AcceptDeletionsResponse.ts';
import type { AllowDeletionsRequest as _jobs_deleter_v1_AllowDeletionsRequest, AllowDeletionsRequest__Output as _jobs_deleter_v1_AllowDeletionsRequest__Output } from '../../../jobs/deleter/v1/AllowDeletionsRequest.ts';
import type { CancelDeletionRequest as _jobs_deleter_v1_CancelDeletionRequest, CancelDeletionRequest__Output as _jobs_deleter_v1_CancelDeletionRequest__Output } from '../../../jobs/deleter/v1/CancelDeletionRequest.ts';
import type { ChangeSafetyRulesRequest as _jobs_deleter_v1_ChangeSafetyRulesRequest, ChangeSafetyRulesRequest__Output as _jobs_deleter_v1_ChangeSafetyRulesRequest__Output } from '../../../jobs/deleter/v1/ChangeSafetyRulesRequest.ts';
import type { CountDeletionsRequest as _jobs_deleter_v1_CountDeletionsRequest, CountDeletionsRequest__Output as _jobs_deleter_v1_CountDeletionsRequest__Output } from '../../../jobs/deleter/v1/CountDeletionsRequest.ts';
import type { CountDeletionsResponse as _jobs_deleter_v1_CountDeletionsResponse, CountDeletionsResponse__Output as _jobs_deleter_v1_CountDeletionsResponse__Output } from '../../../jobs/deleter/v1/CountDeletionsResponse.ts';
import type { CountJobsRequest as _jobs_deleter_v1_CountJobsRequest, CountJobsRequest__Output as _jobs_deleter_v1_CountJobsRequest__Output } from '../../../jobs/deleter/v1/CountJobsRequest.ts';
import type { CountJobsResponse as _jobs_deleter_v1_CountJobsResponse, CountJobsResponse__Output as _jobs_deleter_v1_CountJobsResponse__Output } from '../../../jobs/deleter/v1/CountJobsResponse.ts';
import type { DeleteJobsRequest as _jobs_deleter_v1_DeleteJobsRequest, DeleteJobsRequest__Output as _jobs_deleter_v1_DeleteJobsRequest__Output } from '../../../jobs/deleter/v1/DeleteJobsRequest.ts';
import type { DeleteJobsResponse as _jobs_deleter_v1_DeleteJobsResponse, DeleteJobsResponse__Output as _jobs_deleter_v1_DeleteJobsResponse__Output } from '../../../jobs/deleter/v1/DeleteJobsResponse.ts';
import type { Deletion as _jobs_deleter_v1_Deletion, Deletion__Output as _jobs_deleter_v1_Deletion__Output } from '../../../jobs/deleter/v1/Deletion.ts';
import type { GetDeletionRequest as _jobs_deleter_v1_GetDeletionRequest, GetDeletionRequest__Output as _jobs_deleter_v1_GetDeletionRequest__Output } from '../../../jobs/deleter/v1/GetDeletionRequest.ts';
import type { GetJobRequest as _jobs_deleter_v1_GetJobRequest, GetJobRequest__Output as _jobs_deleter_v1_GetJobRequest__Output } from '../../../jobs/deleter/v1/GetJobRequest.ts';
import type { GetJobTitlesRequest as _jobs_deleter_v1_GetJobTitlesRequest, GetJobTitlesRequest__Output as _jobs_deleter_v1_GetJobTitlesRequest__Output } from '../../../jobs/deleter/v1/GetJobTitlesRequest.ts';
import type { GetJobTitlesResponse as _jobs_deleter_v1_GetJobTitlesResponse, GetJobTitlesResponse__Output as _jobs_deleter_v1_GetJobTitlesResponse__Output } from '../../../jobs/deleter/v1/GetJobTitlesResponse.ts';
import type { GetSafetyRulesRequest as _jobs_deleter_v1_GetSafetyRulesRequest, GetSafetyRulesRequest__Output as _jobs_deleter_v1_GetSafetyRulesRequest__Output } from '../../../jobs/deleter/v1/GetSafetyRulesRequest.ts';
import type { Job as _jobs_deleter_v1_Job, Job__Output as _jobs_deleter_v1_Job__Output } from '../../../jobs/deleter/v1/Job.ts';
import type { ListDeletionsRequest as _jobs_deleter_v1_ListDeletionsRequest, ListDeletionsRequest__Output as _jobs_deleter_v1_ListDeletionsRequest__Output } from '../../../jobs/deleter/v1/ListDeletionsRequest.ts';
import type { ListDeletionsResponse as _jobs_deleter_v1_ListDeletionsResponse, ListDeletionsResponse__Output as _jobs_deleter_v1_ListDeletionsResponse__Output } from '../../../jobs/deleter/v1/ListDeletionsResponse.ts';
import type { ListJobsRequest as _jobs_deleter_v1_ListJobsRequest, ListJobsRequest__Output as _jobs_deleter_v1_ListJobsRequest__Output } from '../../../jobs/deleter/v1/ListJobsRequest.ts';
import type { ListJobsResponse as _jobs_deleter_v1_ListJobsResponse, ListJobsResponse__Output as _jobs_deleter_v1_ListJobsResponse__Output } from '../../../jobs/deleter/v1/ListJobsResponse.ts';
import type { SafetyRules as _jobs_deleter_v1_SafetyRules, SafetyRules__Output as _jobs_deleter_v1_SafetyRules__Output } from '../../../jobs/deleter/v1/SafetyRules.ts';
import type { SearchJobsRequest as _jobs_deleter_v1_SearchJobsRequest, SearchJobsRequest__Output as _jobs_deleter_v1_SearchJobsRequest__Output } from '../../../jobs/deleter/v1/SearchJobsRequest.ts';
import type { SearchJobsResponse as _jobs_deleter_v1_SearchJobsResponse, SearchJobsResponse__Output as _jobs_deleter_v1_SearchJobsResponse__Output } from '../../../jobs/deleter/v1/SearchJobsResponse.ts';

export interface DeleterServiceClient extends grpc.Client {
  AcceptDeletions(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsResponse__Output>;
  AcceptDeletions(options?: grpc.CallOptions): grpc.ClientDuplexStream<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsResponse__Output>;
  acceptDeletions(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsResponse__Output>;
  acceptDeletions(options?: grpc.CallOptions): grpc.ClientDuplexStream<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsResponse__Output>;
  
  AllowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  AllowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  AllowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  AllowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  allowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  allowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  allowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  allowDeletions(argument: _jobs_deleter_v1_AllowDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  
  CancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _jobs_deleter_v1_CancelDeletionRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  
  ChangeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  ChangeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  ChangeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  ChangeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  changeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  changeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  changeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  changeSafetyRules(argument: _jobs_deleter_v1_ChangeSafetyRulesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  
  CountDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  CountDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  CountDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  CountDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  countDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  countDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  countDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  countDeletions(argument: _jobs_deleter_v1_CountDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_CountDeletionsResponse__Output>): grpc.ClientUnaryCall;
  
  CountJobs(argument: _jobs_deleter_v1_CountJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  CountJobs(argument: _jobs_deleter_v1_CountJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  CountJobs(argument: _jobs_deleter_v1_CountJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  CountJobs(argument: _jobs_deleter_v1_CountJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  countJobs(argument: _jobs_deleter_v1_CountJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  countJobs(argument: _jobs_deleter_v1_CountJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  countJobs(argument: _jobs_deleter_v1_CountJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  countJobs(argument: _jobs_deleter_v1_CountJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_CountJobsResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  DeleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  DeleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  DeleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  deleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  deleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  deleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  deleteJobs(argument: _jobs_deleter_v1_DeleteJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_DeleteJobsResponse__Output>): grpc.ClientUnaryCall;
  
  GetDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Deletion__Output>): grpc.ClientUnaryCall;
  
  GetJob(argument: _jobs_deleter_v1_GetJobRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  GetJob(argument: _jobs_deleter_v1_GetJobRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  GetJob(argument: _jobs_deleter_v1_GetJobRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  GetJob(argument: _jobs_deleter_v1_GetJobRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  getJob(argument: _jobs_deleter_v1_GetJobRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  getJob(argument: _jobs_deleter_v1_GetJobRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  getJob(argument: _jobs_deleter_v1_GetJobRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  getJob(argument: _jobs_deleter_v1_GetJobRequest, callback: grpc.requestCallback<_jobs_deleter_v1_Job__Output>): grpc.ClientUnaryCall;
  
  GetJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  GetJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  GetJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  GetJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  getJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  getJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  getJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  getJobTitles(argument: _jobs_deleter_v1_GetJobTitlesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_GetJobTitlesResponse__Output>): grpc.ClientUnaryCall;
  
  GetSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  GetSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  GetSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  GetSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  getSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  getSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  getSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  getSafetyRules(argument: _jobs_deleter_v1_GetSafetyRulesRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SafetyRules__Output>): grpc.ClientUnaryCall;
  
  ListDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _jobs_deleter_v1_ListDeletionsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  
  ListJobs(argument: _jobs_deleter_v1_ListJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  ListJobs(argument: _jobs_deleter_v1_ListJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  ListJobs(argument: _jobs_deleter_v1_ListJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  ListJobs(argument: _jobs_deleter_v1_ListJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  listJobs(argument: _jobs_deleter_v1_ListJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  listJobs(argument: _jobs_deleter_v1_ListJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  listJobs(argument: _jobs_deleter_v1_ListJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  listJobs(argument: _jobs_deleter_v1_ListJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_ListJobsResponse__Output>): grpc.ClientUnaryCall;
  
  SearchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  SearchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  SearchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  SearchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  searchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  searchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  searchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  searchJobs(argument: _jobs_deleter_v1_SearchJobsRequest, callback: grpc.requestCallback<_jobs_deleter_v1_SearchJobsResponse__Output>): grpc.ClientUnaryCall;
  
  WatchDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_jobs_deleter_v1_Deletion__Output>;
  WatchDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_jobs_deleter_v1_Deletion__Output>;
  watchDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_jobs_deleter_v1_Deletion__Output>;
  watchDeletion(argument: _jobs_deleter_v1_GetDeletionRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_jobs_deleter_v1_Deletion__Output>;
  
}

export interface DeleterServiceHandlers extends grpc.UntypedServiceImplementation {
  AcceptDeletions: grpc.handleBidiStreamingCall<_jobs_deleter_v1_AcceptDeletionsRequest__Output, _jobs_deleter_v1_AcceptDeletionsResponse>;
  
  AllowDeletions: grpc.handleUnaryCall<_jobs_deleter_v1_AllowDeletionsRequest__Output, _jobs_deleter_v1_SafetyRules>;
  
  CancelDeletion: grpc.handleUnaryCall<_jobs_deleter_v1_CancelDeletionRequest__Output, _jobs_deleter_v1_Deletion>;
  
  ChangeSafetyRules: grpc.handleUnaryCall<_jobs_deleter_v1_ChangeSafetyRulesRequest__Output, _jobs_deleter_v1_SafetyRules>;
  
  CountDeletions: grpc.handleUnaryCall<_jobs_deleter_v1_CountDeletionsRequest__Output, _jobs_deleter_v1_CountDeletionsResponse>;
  
  CountJobs: grpc.handleUnaryCall<_jobs_deleter_v1_CountJobsRequest__Output, _jobs_deleter_v1_CountJobsResponse>;
  
  DeleteJobs: grpc.handleUnaryCall<_jobs_deleter_v1_DeleteJobsRequest__Output, _jobs_deleter_v1_DeleteJobsResponse>;
  
  GetDeletion: grpc.handleUnaryCall<_jobs_deleter_v1_GetDeletionRequest__Output, _jobs_deleter_v1_Deletion>;
  
  GetJob: grpc.handleUnaryCall<_jobs_deleter_v1_GetJobRequest__Output, _jobs_deleter_v1_Job>;
  
  GetJobTitles: grpc.handleUnaryCall<_jobs_deleter_v1_GetJobTitlesRequest__Output, _jobs_deleter_v1_GetJobTitlesResponse>;
  
  GetSafetyRules: grpc.handleUnaryCall<_jobs_deleter_v1_GetSafetyRulesRequest__Output, _jobs_deleter_v1_SafetyRules>;
  
  ListDeletions: grpc.handleUnaryCall<_jobs_deleter_v1_ListDeletionsRequest__Output, _jobs_deleter_v1_ListDeletionsResponse>;
  
  ListJobs: grpc.handleUnaryCall<_jobs_deleter_v1_ListJobsRequest__Output, _jobs_deleter_v1_ListJobsResponse>;
  
  SearchJobs: grpc.handleUnaryCall<_jobs_deleter_v1_SearchJobsRequest__Output, _jobs_deleter_v1_SearchJobsResponse>;
  
  WatchDeletion: grpc.handleServerStreamingCall<_jobs_deleter_v1_GetDeletionRequest__Output, _jobs_deleter_v1_Deletion>;
  
}

export interface DeleterServiceDefinition extends grpc.ServiceDefinition {
  AcceptDeletions: MethodDefinition<_jobs_deleter_v1_AcceptDeletionsRequest, _jobs_deleter_v1_AcceptDeletionsResponse, _jobs_deleter_v1_AcceptDeletionsRequest__Output, _jobs_deleter_v1_AcceptDeletionsResponse__Output>
  AllowDeletions: MethodDefinition<_jobs_deleter_v1_AllowDeletionsRequest, _jobs_deleter_v1_SafetyRules, _jobs_deleter_v1_AllowDeletionsRequest__Output, _jobs_deleter_v1_SafetyRules__Output>
  CancelDeletion: MethodDefinition<_jobs_deleter_v1_CancelDeletionRequest, _jobs_deleter_v1_Deletion, _jobs_deleter_v1_CancelDeletionRequest__Output, _jobs_deleter_v1_Deletion__Output>
  ChangeSafetyRules: MethodDefinition<_jobs_deleter_v1_ChangeSafetyRulesRequest, _jobs_deleter_v1_SafetyRules, _jobs_deleter_v1_ChangeSafetyRulesRequest__Output, _jobs_deleter_v1_SafetyRules__Output>
  CountDeletions: MethodDefinition<_jobs_deleter_v1_CountDeletionsRequest, _jobs_deleter_v1_CountDeletionsResponse, _jobs_deleter_v1_CountDeletionsRequest__Output, _jobs_deleter_v1_CountDeletionsResponse__Output>
  CountJobs: MethodDefinition<_jobs_deleter_v1_CountJobsRequest, _jobs_deleter_v1_CountJobsResponse, _jobs_deleter_v1_CountJobsRequest__Output, _jobs_deleter_v1_CountJobsResponse__Output>
  DeleteJobs: MethodDefinition<_jobs_deleter_v1_DeleteJobsRequest, _jobs_deleter_v1_DeleteJobsResponse, _jobs_deleter_v1_DeleteJobsRequest__Output, _jobs_deleter_v1_DeleteJobsResponse__Output>
  GetDeletion: MethodDefinition<_jobs_deleter_v1_GetDeletionRequest, _jobs_deleter_v1_Deletion, _jobs_deleter_v1_GetDeletionRequest__Output, _jobs_deleter_v1_Deletion__Output>
  GetJob: MethodDefinition<_jobs_deleter_v1_GetJobRequest, _jobs_deleter_v1_Job, _jobs_deleter_v1_GetJobRequest__Output, _jobs_deleter_v1_Job__Output>
  GetJobTitles: MethodDefinition<_jobs_deleter_v1_GetJobTitlesRequest, _jobs_deleter_v1_GetJobTitlesResponse, _jobs_deleter_v1_GetJobTitlesRequest__Output, _jobs_deleter_v1_GetJobTitlesResponse__Output>
  GetSafetyRules: MethodDefinition<_jobs_deleter_v1_GetSafetyRulesRequest, _jobs_deleter_v1_SafetyRules, _jobs_deleter_v1_GetSafetyRulesRequest__Output, _jobs_deleter_v1_SafetyRules__Output>
  ListDeletions: MethodDefinition<_jobs_deleter_v1_ListDeletionsRequest, _jobs_deleter_v1_ListDeletionsResponse, _jobs_deleter_v1_ListDeletionsRequest__Output, _jobs_deleter_v1_ListDeletionsResponse__Output>
  ListJobs: MethodDefinition<_jobs_deleter_v1_ListJobsRequest, _jobs_deleter_v1_ListJobsResponse, _jobs_deleter_v1_ListJobsRequest__Output, _jobs_deleter_v1_ListJobsResponse__Output>
  SearchJobs: MethodDefinition<_jobs_deleter_v1_SearchJobsRequest, _jobs_deleter_v1_SearchJobsResponse, _jobs_deleter_v1_SearchJobsRequest__Output, _jobs_deleter_v1_SearchJobsResponse__Output>
  WatchDeletion: MethodDefinition<_jobs_deleter_v1_GetDeletionRequest, _jobs_deleter_v1_Deletion, _jobs_deleter_v1_GetDeletionRequest__Output, _jobs_deleter_v1_Deletion__Output>
}
