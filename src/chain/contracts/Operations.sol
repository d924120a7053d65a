// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title How the operations of a stream are packed; docs/settlement.md shows it byte by byte.
/// @dev Every operation begins with its kind (1 byte), the time of the stream in epoch milliseconds (6) and the hash of
/// the journal's entry that it belongs to (32). Integers are unsigned and big-endian.
library Operations {
    uint256 internal constant MINT = 1;
    uint256 internal constant TRANSFER = 2;
    uint256 internal constant RESERVE = 3;
    uint256 internal constant UNRESERVE = 4;
    uint256 internal constant LOCK = 5;
    uint256 internal constant RELEASE = 6;
    uint256 internal constant REFUND = 7;
    uint256 internal constant EXPIRE = 8;
    uint256 internal constant COLLECT = 9;
    uint256 internal constant FREEZE = 10;
    uint256 internal constant UNFREEZE = 11;
    uint256 internal constant DEPOSIT = 12;
    uint256 internal constant WITHDRAW = 13;

    /// @dev Where the fields of the kind begin.
    uint256 internal constant BODY = 39;

    /// @dev Byte k is the length of an operation of kind k; 0: there is no such kind.
    bytes32 internal constant LENGTHS = hex"004f77956f6f8f6f6f4f4747576b000000000000000000000000000000000000";

    /// @param pos offset in the calldata
    function kindAt(uint256 pos) internal pure returns (uint256 kind) {
        assembly ("memory-safe") {
            kind := byte(0, calldataload(pos))
        }
    }

    /// @return length 0: there is no such kind
    function lengthOf(uint256 kind) internal pure returns (uint256 length) {
        bytes32 lengths = LENGTHS;
        assembly ("memory-safe") {
            length := byte(kind, lengths)
        }
    }

    function timeAt(uint256 pos) internal pure returns (uint256 time) {
        assembly ("memory-safe") {
            time := shr(208, calldataload(add(pos, 1)))
        }
    }

    /// @param field offset within the operation
    function wordAt(uint256 pos, uint256 field) internal pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := calldataload(add(pos, field))
        }
    }

    function amountAt(uint256 pos, uint256 field) internal pure returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := shr(192, calldataload(add(pos, field)))
        }
    }

    function addressAt(uint256 pos, uint256 field) internal pure returns (address account) {
        assembly ("memory-safe") {
            account := shr(96, calldataload(add(pos, field)))
        }
    }
}
